//! The common part of the Rust adapters for casts: the table of `carom oracle casts`, and the answers of an engine.
//!
//! ```text
//! adapter --casts CASTS.csv OUTPUT.csv       answers the casts
//! ```

use std::fmt::Write;
use std::fs;

use crate::scene::Triple;

/// A shape with its half extents.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    Point,
    Ball(f64),
    Cuboid(Triple),
}

/// A cast: a shape moves from a place by `motion`, and may meet a target at rest.
#[derive(Debug, Clone, Copy)]
pub struct Cast {
    pub shape: Shape,
    pub from: Triple,
    pub motion: Triple,
    pub target: Shape,
    pub at: Triple,
}

/// A hit: the part of the motion up to it, and the unit normal out of the target.
#[derive(Debug, Clone, Copy)]
pub struct Touch {
    pub fraction: f64,
    pub normal: Triple,
}

fn shape(word: &str, half: Triple) -> Result<Shape, String> {
    match word {
        "ray" => Ok(Shape::Point),
        "ball" => Ok(Shape::Ball(half[0])),
        "box" => Ok(Shape::Cuboid(half)),
        _ => Err(format!("`{word}` is no shape")),
    }
}

fn read(line: &str) -> Result<(&str, Cast), String> {
    let fields: Vec<&str> = line.split(',').collect();
    let field = |place: usize| fields.get(place).copied().ok_or_else(|| format!("too few fields in `{line}`"));
    let triple = |first: usize| -> Result<Triple, String> {
        let number = |place| field(place)?.parse::<f64>().map_err(|error| format!("{error} in `{line}`"));
        Ok([number(first)?, number(first + 1)?, number(first + 2)?])
    };
    let cast = Cast {
        shape: shape(field(1)?, triple(2)?)?,
        from: triple(5)?,
        motion: triple(8)?,
        target: shape(field(11)?, triple(12)?)?,
        at: triple(15)?,
    };
    Ok((field(0)?, cast))
}

/// Writes an answer to each cast: `answer` gives what is hit. A cast that the engine refuses has no row, and is named.
pub fn main(casts: &str, output: &str, answer: impl Fn(&Cast) -> Result<Option<Touch>, String>) -> Result<(), String> {
    let text = fs::read_to_string(casts).map_err(|error| format!("cannot read {casts}: {error}"))?;
    let mut answers = "cast,hit,fraction,nx,ny,nz\n".to_owned();
    for line in text.lines().skip(1) {
        let (name, cast) = read(line)?;
        let told = match answer(&cast) {
            Ok(None) => "0,,,,".to_owned(),
            Ok(Some(Touch { fraction, normal: [x, y, z] })) => format!("1,{fraction:?},{x:?},{y:?},{z:?}"),
            Err(why) => {
                eprintln!("{name}: {why}");
                continue;
            }
        };
        let _ = writeln!(answers, "{name},{told}");
    }
    fs::write(output, answers).map_err(|error| format!("cannot write {output}: {error}"))
}
