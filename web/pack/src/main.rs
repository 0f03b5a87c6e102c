//! Packs a file in the format of gzip, as small as that allows: `pack FROM TO`. The same file gives the same bytes.

use std::error::Error;
use std::fs::{File, read};
use std::io::BufWriter;

fn main() -> Result<(), Box<dyn Error>> {
    let [from, to] = std::env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "usage: pack FROM TO")?;
    let bytes = read(&from).map_err(|error| format!("{from}: {error}"))?;
    let packed = BufWriter::new(File::create(&to).map_err(|error| format!("{to}: {error}"))?);
    zopfli::compress(zopfli::Options::default(), zopfli::Format::Gzip, &bytes[..], packed)?;
    Ok(())
}
