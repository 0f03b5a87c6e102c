//! Rollback netcode: two peers play the same game. Each carries out its own inputs at once and hears of those of the
//! other one some frames later. Then it goes back to their frame and steps again. In the end both have the same bits.
//!
//! `cargo run --release --example rollback`

use std::collections::BTreeMap;
use std::error::Error;

use carom::glam::DVec3;
use carom::record::state_hash;
use carom::{Body, Restitution, Settings, World};

const STEP: f64 = 1.0 / 60.0;
const FRAMES: usize = 600;
/// The most frames that an input comes late.
const LATE: usize = 8;

/// A player hits its own ball.
#[derive(Clone, Copy)]
struct Input {
    frame: usize,
    player: usize,
    /// N·s.
    impulse: DVec3,
}

/// The court, two players, and forty balls.
fn court() -> Result<World, Box<dyn Error>> {
    let mut settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
    let stuff = settings.materials.add(Restitution::new(0.9)?);
    let ball = |place: DVec3| Ok::<_, Box<dyn Error>>(Body::sphere(0.2, 1.0)?.at(place).made_of(stuff));
    let mut bodies = vec![("floor".to_owned(), Body::plane(DVec3::Z, 0.0)?.made_of(stuff))];
    for (row, normal) in [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y].into_iter().enumerate() {
        bodies.push((format!("wall/{row}"), Body::plane(normal, -4.0)?.made_of(stuff)));
    }
    for row in 0..40 {
        let place = DVec3::new(f64::from(row % 5) - 2.0, f64::from(row / 5 % 4) - 1.5, 1.0 + f64::from(row / 20));
        bodies.push((format!("ball/{row:02}"), ball(place + DVec3::X * 0.01 * f64::from(row))?));
    }
    for player in 0..2 {
        bodies.push((format!("player/{player}"), ball(DVec3::new(6.0 * player as f64 - 3.0, 0.0, 3.0))?));
    }
    Ok(World::new(settings, bodies)?)
}

struct Peer {
    world: World,
    frame: usize,
    /// The states before the last frames, in turn.
    saved: Vec<Vec<u8>>,
    /// All inputs that are known, by frame and player: at all peers they are carried out in this order.
    inputs: BTreeMap<(usize, usize), DVec3>,
    /// How many frames were done once more.
    again: usize,
}

impl Peer {
    fn new() -> Result<Self, Box<dyn Error>> {
        let saved = vec![Vec::new(); LATE + 1];
        Ok(Self { world: court()?, frame: 0, saved, inputs: BTreeMap::new(), again: 0 })
    }

    fn step(&mut self) -> Result<(), Box<dyn Error>> {
        self.world.save_into(&mut self.saved[self.frame % (LATE + 1)]);
        for (&(_, player), &impulse) in self.inputs.range((self.frame, 0)..(self.frame + 1, 0)) {
            let id = self.world.id(&format!("player/{player}")).ok_or("no such player")?;
            self.world.kick(id, impulse)?;
        }
        self.world.step(STEP)?;
        self.frame += 1;
        Ok(())
    }

    fn hear(&mut self, input: Input) -> Result<(), Box<dyn Error>> {
        self.inputs.insert((input.frame, input.player), input.impulse);
        let present = self.frame;
        if input.frame < present {
            self.world.restore_from(&self.saved[input.frame % (LATE + 1)])?;
            self.frame = input.frame;
            self.again += present - input.frame;
        }
        while self.frame < present {
            self.step()?;
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut peers = [Peer::new()?, Peer::new()?];
    // What is on its way, by the frame in which it arrives.
    let mut mail: BTreeMap<usize, Vec<Input>> = BTreeMap::new();
    for frame in 0..FRAMES + LATE {
        for (player, every) in [(0, 25), (1, 40)] {
            if frame < FRAMES && frame % every == 7 {
                let impulse = DVec3::new(2.0 - 4.0 * player as f64, 0.5 * (frame % 3) as f64 - 0.5, 4.0);
                let input = Input { frame, player, impulse };
                peers[player].hear(input)?;
                mail.entry(frame + 1 + frame % LATE).or_default().push(input);
            }
        }
        for input in mail.remove(&frame).unwrap_or_default() {
            peers[1 - input.player].hear(input)?;
        }
        peers.iter_mut().try_for_each(Peer::step)?;
    }
    let hashes = peers.each_ref().map(|peer| state_hash(&peer.world));
    println!("{} and {} frames were done once more", peers[0].again, peers[1].again);
    println!("state of the first peer:  {}\nstate of the second peer: {}", hashes[0], hashes[1]);
    assert!(peers.iter().all(|peer| peer.again > 50));
    assert_eq!(hashes[0], hashes[1]);
    Ok(())
}
