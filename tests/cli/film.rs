//! `carom film`: what its pictures show, read back from their pixels; its files, messages and refusals.

use std::fs;
use std::io::Cursor;
use std::process::{Output, Stdio};

use super::bench::{Bench, code, stderr, stdout, words};

/// A ball that falls, flies to the right and bounces once, at 1 s.
const THROWN: &str = r#"Scenario(
    title: "Thrown", gravity: (0, 0, -10), timestep: 0.5, duration: 2,
    bodies: [
        (name: "ball", shape: Sphere(radius: 0.5), mass: 1, position: (0, 0, 5.5), velocity: (1.5, 0, 0)),
        (name: "floor", shape: Plane(normal: (0, 0, 1), offset: 0)),
    ],
    plots: [Path(plane: XZ)],
)
"#;

/// A disc that passes a border of a periodic plane at 0.5 s; a second one comes and a third one goes at 1 s.
const PLANE: &str = r#"Scenario(
    title: "Plane", space: Planar(x: (0, 4), y: (0, 3)), timestep: 1, duration: 2,
    bodies: [
        (name: "disc", shape: Disc(radius: 0.25), mass: 1, position: (3, 1), velocity: (2, 0)),
        (name: "old", shape: Disc(radius: 0.25), mass: 1, position: (1, 2.5)),
    ],
    commands: [
        Spawn(at: 1, body: (name: "new", shape: Disc(radius: 0.25), mass: 1, position: (3, 2.5))),
        Despawn(at: 1, body: "old"),
    ],
    record: (paths: []),
)
"#;

/// The fillings of the first three bodies on a screen.
const FILLS: [[u8; 3]; 3] = [[102, 170, 209], [230, 158, 102], [102, 197, 171]];

fn run(text: &str) -> Bench {
    let bench = Bench::new();
    bench.write("run.ron", text);
    let output = bench.carom(&["run", "run.ron", "--quiet"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    bench
}

fn film(bench: &Bench, options: &str) -> Output {
    let arguments: Vec<&str> = ["film", "output/run"].into_iter().chain(options.split_whitespace()).collect();
    bench.carom(&arguments)
}

fn made(bench: &Bench, options: &str) -> String {
    let output = film(bench, options);
    assert_eq!(code(&output), 0, "{options}: {}", stderr(&output));
    stdout(&output)
}

/// A picture: its width and the colours of its pixels.
#[derive(Debug, Clone, PartialEq)]
struct Picture {
    wide: usize,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// The centre of all pixels of a colour, and their number.
    fn centre(&self, color: [u8; 3]) -> ([f64; 2], usize) {
        let found = (0..self.pixels.len()).filter(|&place| self.pixels[place] == color);
        let places: Vec<[f64; 2]> =
            found.map(|place| [place % self.wide, place / self.wide].map(|at| at as f64)).collect();
        let mean = |side: usize| places.iter().map(|place| place[side]).sum::<f64>() / places.len() as f64;
        ([mean(0), mean(1)], places.len())
    }
}

/// The pictures of a folder of frames, and the rows of their table: time of the film, time, rate.
fn frames(bench: &Bench, folder: &str) -> (Vec<Picture>, Vec<[f64; 3]>) {
    let (mut pictures, mut rows) = (Vec::new(), Vec::new());
    for line in bench.read(&format!("{folder}/frames.csv")).lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        rows.push([1, 2, 3].map(|cell| cells[cell].parse().unwrap()));
        let bytes = fs::read(bench.path(folder).join(cells[0])).unwrap();
        let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let wide = reader.info().width as usize;
        pictures.push(Picture { wide, pixels: pixels.as_chunks().0.to_vec() });
    }
    assert_eq!(fs::read_dir(bench.path(folder)).unwrap().count(), rows.len() + 1, "nothing else is in the folder");
    (pictures, rows)
}

/// The pictures of a GIF as they are seen, and their delays, s.
fn gif_pictures(bytes: &[u8]) -> (Vec<Picture>, Vec<f64>) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut reader = options.read_info(bytes).unwrap();
    let [wide, high] = [reader.width(), reader.height()].map(usize::from);
    let mut seen = Picture { wide, pixels: vec![[0; 3]; wide * high] };
    let (mut pictures, mut delays) = (Vec::new(), Vec::new());
    while let Some(frame) = reader.read_next_frame().unwrap() {
        for (place, pixel) in frame.buffer.as_chunks::<4>().0.iter().enumerate() {
            let [row, column] = [place / usize::from(frame.width), place % usize::from(frame.width)];
            let at = (row + usize::from(frame.top)) * wide + column + usize::from(frame.left);
            if pixel[3] > 0 {
                seen.pixels[at] = [pixel[0], pixel[1], pixel[2]];
            }
        }
        pictures.push(seen.clone());
        delays.push(f64::from(frame.delay) / 100.0);
    }
    (pictures, delays)
}

/// The pictures of an animated PNG as they are seen, and their delays, s.
fn apng_pictures(bytes: &[u8]) -> (Vec<Picture>, Vec<f64>) {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
    let [wide, high] = [reader.info().width, reader.info().height].map(|side| side as usize);
    let mut seen = Picture { wide, pixels: vec![[0; 3]; wide * high] };
    let (mut pictures, mut delays) = (Vec::new(), Vec::new());
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    for _ in 0..reader.info().animation_control().unwrap().num_frames {
        reader.next_frame(&mut pixels).unwrap();
        let control = *reader.info().frame_control().unwrap();
        let [left, top, width] = [control.x_offset, control.y_offset, control.width].map(|side| side as usize);
        let part = &pixels.as_chunks::<3>().0[..width * control.height as usize];
        for (row, line) in part.chunks_exact(width).enumerate() {
            let at = (row + top) * wide + left;
            seen.pixels[at..at + width].copy_from_slice(line);
        }
        pictures.push(seen.clone());
        delays.push(f64::from(control.delay_num) / f64::from(control.delay_den));
    }
    (pictures, delays)
}

/// The hash of Fowler, Noll and Vo, 64 bits, 1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A ball is drawn where its path is, to a part of a pixel: seen from the side, each picture maps x and z alike.
#[test]
fn pixels_are_where_the_exact_paths_are() {
    let bench = run(THROWN);
    made(&bench, "--to frames --speed 0.5 --trail 0 --legend false --output film");
    let (pictures, rows) = frames(&bench, "film");
    assert_eq!(rows.len(), 101);
    let exact =
        |t: f64| [1.5 * t, if t < 1.0 { 5.5 - 5.0 * t * t } else { 0.5 + 10.0 * (t - 1.0) - 5.0 * (t - 1.0).powi(2) }];
    let seen: Vec<[f64; 2]> = pictures.iter().map(|picture| picture.centre(FILLS[0]).0).collect();
    // Pixels per metre, from the first picture and the last.
    let scale = (seen[100][0] - seen[0][0]) / 3.0;
    assert!(scale > 30.0, "{scale}");
    for ([film, time, rate], at) in rows.iter().zip(&seen) {
        assert!((time - 0.5 * film).abs() < 1e-12 && *rate == 0.5);
        let [x, z] = exact(*time);
        let wanted = [seen[0][0] + scale * x, seen[0][1] + scale * (5.5 - z)];
        // The mark of the impact hides a few pixels of the ball.
        let off = if (2.0..2.25).contains(film) { 1.0 } else { 0.5 };
        assert!((at[0] - wanted[0]).abs() < 0.5 && (at[1] - wanted[1]).abs() < off, "{time} s: {at:?}, {wanted:?}");
    }
    // The mark of the impact is at its point, for a quarter of a second of the film from the impact on.
    let floor = seen[0][1] + scale * 5.5;
    for (picture, [film, ..]) in pictures.iter().zip(&rows) {
        let inside = |place: &usize| {
            let [x, y] = [place % picture.wide, place / picture.wide].map(|at| at as f64);
            (x - seen[0][0] - scale * 1.5).hypot(y - floor) < 2.0
        };
        let dark = (0..picture.pixels.len()).filter(inside).filter(|&place| picture.pixels[place] == [25; 3]).count();
        assert_eq!(dark > 4, (2.0..2.25).contains(film), "{film}: {dark}");
    }
}

#[test]
fn around_impacts_the_film_is_slow() {
    let bench = run(THROWN);
    let said = made(&bench, "--to frames --fps 50 --speed 1 --slow 10,0.05 --size 320x240 --output film");
    assert!(said.contains("10 times slower around 1 impact") && said.contains("at 1 × real time"), "{said}");
    let (_, rows) = frames(&bench, "film");
    let events = bench.read("output/run/events.csv");
    let impact: f64 =
        events.lines().find(|line| line.contains("impact")).unwrap().split(',').next().unwrap().parse().unwrap();
    assert_eq!(impact, 1.0);
    // 1.9 s as they are, and 0.1 s ten times slower.
    assert_eq!(rows.len(), 146);
    assert!((rows[145][1] - 2.0).abs() < 1e-12);
    for two in rows.windows(2) {
        let near = |time: f64| (time - impact).abs() < 0.05 - 1e-9;
        let step = two[1][1] - two[0][1];
        if near(two[0][1]) && near(two[1][1]) {
            assert!((step - 0.002).abs() < 1e-12 && (two[0][2] - 0.1).abs() < 1e-12, "{two:?}");
        } else if two.iter().all(|row| (row[1] - impact).abs() > 0.05 + 1e-9) {
            assert!((step - 0.02).abs() < 1e-12, "{two:?}");
        }
    }
    let near = rows.iter().filter(|row| (row[1] - impact).abs() < 0.05).count();
    assert!((49..=51).contains(&near), "{near}");
}

/// The same film in three formats, and its length.
#[test]
fn every_format_has_the_same_pictures() {
    let bench = run(THROWN);
    let options = "--size 320x240 --fps 30 --speed 2 --trail 0";
    for kind in ["gif", "apng", "frames"] {
        let said = made(&bench, &format!("--to {kind} {options}"));
        assert!(said.contains("31 frames of 320 × 240 pixels, 1.0 s at 2 × real time"), "{said}");
    }
    let (wanted, _) = frames(&bench, "run_frames");
    let read = |name: &str| fs::read(bench.path(name)).unwrap();
    let (apng, delays) = apng_pictures(&read("run.apng"));
    assert!(apng == wanted);
    assert!((delays.iter().sum::<f64>() - 1.0 - 31.0 / 30.0).abs() < 1e-12, "the last picture stays for a second");
    let (gif, delays) = gif_pictures(&read("run.gif"));
    assert!((delays.iter().sum::<f64>() - 2.03).abs() < 1e-9, "{delays:?}");
    assert!(delays[..30].iter().all(|delay| [0.03, 0.04].contains(delay)));
    assert_eq!(gif.len(), wanted.len());
    // A palette of 255 colours may be a little off.
    for (found, wanted) in gif.iter().zip(&wanted) {
        let off = |(a, b): (&[u8; 3], &[u8; 3])| (0..3).map(|part| a[part].abs_diff(b[part])).max().unwrap();
        let worst = found.pixels.iter().zip(&wanted.pixels).map(off).max();
        assert!(worst.unwrap() <= 8, "{worst:?}");
    }
    // A second time each is replaced by the same bytes, if it is named.
    for (kind, output, name) in [
        ("gif", "run.gif", "run.gif"),
        ("apng", "run.apng", "run.apng"),
        ("frames", "run_frames", "run_frames/frame_0007.png"),
    ] {
        let before = read(name);
        made(&bench, &format!("--to {kind} {options} --quiet --output {output}"));
        assert!(before == read(name), "{kind}");
    }
    let found = ["run.gif", "run.apng"].map(|name| hash(&read(name)));
    assert_eq!(found, GOLDEN, "a film has other bytes: {found:#x?}; if this is meant, these are the new ones");
}

/// The bytes of the GIF and of the animated PNG.
const GOLDEN: [u64; 2] = [0x5e92_7a4d_5c03_c1fd, 0x0602_7eb5_86d6_655c];

/// A plane that repeats, bodies that come and go, and no recorded paths.
#[test]
fn bodies_are_drawn_while_they_are_there() {
    let bench = run(PLANE);
    let options = "--speed 1 --fps 10 --trail 0 --legend false";
    made(&bench, &format!("--to frames {options} --output film"));
    let (pictures, rows) = frames(&bench, "film");
    assert_eq!(rows.len(), 21);
    let first = pictures[0].centre(FILLS[0]).0[0];
    let last = pictures[4].centre(FILLS[0]).0[0];
    let scale = (last - first) / (2.0 * rows[4][1]);
    for (frame, (picture, [_, time, _])) in pictures.iter().zip(&rows).enumerate() {
        let [disc, old, new] = FILLS.map(|color| picture.centre(color));
        let x = (3.0 + 2.0 * time) % 4.0;
        // Where it is cut by the border its centre is elsewhere.
        if (0.4..3.6).contains(&x) {
            assert!((disc.0[0] - first - scale * (x - 3.0)).abs() < 0.5, "{time}: {disc:?}");
        }
        assert_eq!((old.1 > 50, new.1 > 50), (frame < 10, frame >= 10), "{time}: {old:?} {new:?}");
    }
    // The followed disc stays in the middle, across the border too, and what is seen around it is not the plane alone.
    made(&bench, &format!("--to frames {options} --follow disc --output followed"));
    let (pictures, _) = frames(&bench, "followed");
    let middle = pictures[0].centre(FILLS[0]);
    for picture in &pictures {
        let (at, count) = picture.centre(FILLS[0]);
        assert!((at[0] - middle.0[0]).abs() < 0.5 && (at[1] - middle.0[1]).abs() < 0.5, "{at:?} {middle:?}");
        assert!(count.abs_diff(middle.1) < 40, "{count} {middle:?}");
    }
    let said = made(&bench, "--to gif --view oblique --bodies new,disc --theme dark --size 400x300 --output o.gif");
    assert!(said.starts_with("o.gif: ") && said.contains("400 × 300") && said.trim_end().ends_with(" kB"), "{said}");
}

#[test]
fn what_cannot_be_filmed_is_refused_and_leaves_nothing() {
    let bench = run(PLANE);
    fs::create_dir_all(bench.path("mine")).unwrap();
    bench.write("mine/notes.txt", "mine");
    let rows: [(&str, i32, &str); 19] = [
        ("", 2, "--to <FORMAT>"),
        ("--to avi", 2, "possible values"),
        ("--to gif --bodies disk", 2, "the scenario has no body `disk`"),
        ("--to gif --follow disk", 2, "the scenario has no body `disk`"),
        ("--to gif --follow *", 2, "are 3 bodies, and a film follows one"),
        ("--to gif --follow new --until 0.5", 2, "`new` is not there in the time that is shown"),
        ("--to gif --bodies new --until 0.5", 2, "there is no body to be shown"),
        ("--to gif --until 2.5", 2, "the run ends at 2 s, before --until 2.5 s"),
        ("--to gif --from 3", 2, "--from before --until"),
        ("--to gif --from 1 --until 1", 2, "a film needs a span of time"),
        ("--to gif --speed 0", 2, "it must be from 1e-70"),
        ("--to gif --speed 1e-9", 2, "frames, more than 100000"),
        ("--to gif --fps 0", 2, "a whole number from 1 to 100"),
        ("--to gif --fps 60", 2, "at most 50 frames per second"),
        ("--to gif --size 0x0", 2, "two whole numbers from 64 to 4096"),
        ("--to gif --size 640x64", 2, "have no room for title, legend and axes"),
        ("--to gif --slow 0.5", 2, "the factor must be more than 1"),
        ("--to gif --azimuth 20", 2, "are for --view oblique"),
        ("--to frames --output mine", 3, "is no film of carom"),
    ];
    let names = || {
        let entries = fs::read_dir(bench.path(".")).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let before = names();
    for (options, wanted, message) in rows {
        let output = film(&bench, options);
        assert_eq!(code(&output), wanted, "{options}: {}", stderr(&output));
        assert!(words(&output).contains(message), "{options}: {}", stderr(&output));
        assert_eq!(names(), before, "{options}");
    }
    assert_eq!(bench.read("mine/notes.txt"), "mine");
    fs::remove_file(bench.path("output/run/recording.carom")).unwrap();
    let output = film(&bench, "--to gif");
    assert_eq!((code(&output), stderr(&output).contains("recording.carom")), (3, true), "{}", stderr(&output));
}

/// A program on the path in place of ffmpeg.
#[cfg(unix)]
fn with_ffmpeg(bench: &Bench, script: &str, options: &str) -> Output {
    use std::os::unix::fs::PermissionsExt;
    fs::create_dir_all(bench.path("programs")).unwrap();
    if !script.is_empty() {
        let program = bench.write("programs/ffmpeg", &format!("#!/bin/sh\n[ \"$1\" = -version ] && exit 0\n{script}"));
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let arguments: Vec<&str> = ["film", "output/run"].into_iter().chain(options.split_whitespace()).collect();
    bench.command(&arguments).env("PATH", bench.path("programs")).output().unwrap()
}

#[cfg(unix)]
#[test]
fn another_program_makes_mp4_and_webm() {
    let bench = run(THROWN);
    let output = with_ffmpeg(&bench, "", "--to mp4");
    assert_eq!(code(&output), 3);
    let said = stderr(&output);
    assert!(said.contains("ffmpeg, which is not installed") && said.contains("or write --to gif"), "{said}");
    // The film of this program is its last words and what it is given.
    let script = "echo \"$@\" >\"$PWD/said.txt\"\nfor place; do :; done\nexec /bin/cat >\"$place\"\n";
    for (kind, codec) in [("mp4", "libx264"), ("webm", "libvpx-vp9")] {
        let output = with_ffmpeg(&bench, script, &format!("--to {kind} --size 320x240 --speed 1 --fps 10"));
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let given = fs::read(bench.path(&format!("run.{kind}"))).unwrap();
        assert_eq!(given.len(), 21 * 320 * 240 * 3);
        let said = bench.read("said.txt");
        for part in ["-video_size 320x240", "-framerate 10", "-pixel_format rgb24", codec] {
            assert!(said.contains(part), "{said}");
        }
        made(&bench, "--to frames --size 320x240 --speed 1 --fps 10 --output same");
        let (pictures, _) = frames(&bench, "same");
        assert!(pictures.iter().flat_map(|picture| picture.pixels.as_flattened()).eq(&given), "the same pictures");
    }
    let output = with_ffmpeg(&bench, "echo 'Unknown encoder' >&2\nexit 8\n", "--to webm --output bad.webm");
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("ffmpeg has failed (exit status: 8): Unknown encoder;"), "{}", stderr(&output));
    assert!(!bench.path("bad.webm").exists());
    let output = with_ffmpeg(&bench, script, "--to mp4 --size 321x240 --output odd.mp4");
    assert!(code(&output) == 2 && stderr(&output).contains("an even width and height"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn an_interrupted_film_leaves_nothing() {
    let bench = run(THROWN);
    let arguments = ["film", "output/run", "--to", "gif", "--speed", "0.001", "--output", "deep/film.gif"];
    let child = bench.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !bench.path("deep").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(200));
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(!bench.path("deep").exists(), "what it had begun is gone");
}
