// The validator of Khronos: no error, no warning.
const fs = require("fs");
const validator = require("gltf-validator");
const file = process.argv[2];
validator.validateBytes(new Uint8Array(fs.readFileSync(file))).then((report) => {
    const { numErrors, numWarnings } = report.issues;
    if (numErrors + numWarnings > 0) {
        console.error(JSON.stringify(report.issues, null, 1).slice(0, 4000));
        process.exit(1);
    }
    console.log(`  gltf-validator: no error, no warning, ${report.info.drawCallCount} meshes`);
});
