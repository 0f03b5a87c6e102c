//! A replay test: a scenario must give the same bits as when it was recorded.
//!
//! In the tests of a project one line does all of this: `carom::record::assert_replays("tests/scenarios/break.ron")`.
//! Here the recording is made, compared, and compared again after a change of the scenario.
//!
//! `cargo run --release --example replay_test`

use std::error::Error;
use std::fs;

use carom::record::{RecordWhen, Replayed, check_replay};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("carom_replay_{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let (scenario, recording) = (folder.join("cradle.ron"), folder.join("cradle.carom"));
    fs::copy("scenarios/newtons_cradle.ron", &scenario)?;

    assert_eq!(check_replay(&scenario, &recording, RecordWhen::Missing)?, Replayed::Recorded);
    println!("The first run records {}.", recording.display());
    assert_eq!(check_replay(&scenario, &recording, RecordWhen::Missing)?, Replayed::Same);
    println!("The second run has the same bits in each step.");

    // A change of one digit is found in the step in which it first has an effect.
    let text = fs::read_to_string(&scenario)?;
    let changed = text.replacen("velocity: (1", "velocity: (1.0000001", 1);
    assert_ne!(text, changed);
    fs::write(&scenario, changed)?;
    let error = check_replay(&scenario, &recording, RecordWhen::Missing).err().ok_or("the change was not found")?;
    println!("After a change the test fails:\n{error}");
    fs::remove_dir_all(&folder)?;
    Ok(())
}
