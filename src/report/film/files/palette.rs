//! At most 255 colours for all pictures of a film.
//!
//! If the pictures have no more, each colour is kept. Otherwise the frequent ones are kept, and every other is replaced
//! by the nearest of them, which is no farther away than a distance as small as can be.

use std::collections::HashMap;

/// Red, green and blue.
type Rgb = [u8; 3];

/// Most colours; a GIF has one more, for what does not change.
pub(super) const COLORS_MAX: usize = 255;

/// The colours of a film.
pub(super) struct Palette {
    pub(super) colors: Vec<Rgb>,
    places: HashMap<Rgb, u8>,
}

impl Palette {
    /// The palette for colours that occur so many times.
    pub(super) fn new(counts: &HashMap<Rgb, u64>) -> Self {
        let mut counted: Vec<(Rgb, u64)> = counts.iter().map(|(&color, &count)| (color, count)).collect();
        // A total order, so that the palette does not depend on that of the map.
        counted.sort_unstable_by_key(|&(color, count)| (std::cmp::Reverse(count), color));
        let all: Vec<Rgb> = counted.into_iter().map(|(color, _)| color).collect();
        let colors = (0_i32..).find_map(|step| kept(&all, step * step)).unwrap_or_default();
        let place = |&color: &Rgb| {
            let nearest = (0..colors.len()).min_by_key(|&place| distance(colors[place], color)).unwrap_or(0);
            // There are fewer than 256.
            (color, nearest as u8)
        };
        let places = all.iter().map(place).collect();
        Self { colors, places }
    }

    /// The place of a colour that was counted.
    pub(super) fn place(&self, color: Rgb) -> u8 {
        self.places.get(&color).copied().unwrap_or(0)
    }
}

/// The colours in order without those within a distance of one before, if they are few enough.
fn kept(all: &[Rgb], distance_max: i32) -> Option<Vec<Rgb>> {
    let mut kept: Vec<Rgb> = Vec::new();
    for &color in all {
        if !kept.iter().any(|&known| distance(known, color) <= distance_max) {
            kept.push(color);
            if kept.len() > COLORS_MAX {
                return None;
            }
        }
    }
    Some(kept)
}

/// The square of the distance of two colours.
fn distance(a: Rgb, b: Rgb) -> i32 {
    (0..3).map(|part| (i32::from(a[part]) - i32::from(b[part])).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colors_are_exact_and_of_many_the_frequent_ones() {
        let few: HashMap<Rgb, u64> = (0..=254).map(|value| ([value, 0, 9], 1)).collect();
        let palette = Palette::new(&few);
        assert_eq!(palette.colors.len(), 255);
        assert!(few.keys().all(|&color| palette.colors[usize::from(palette.place(color))] == color));
        let shades = (0..30_u8).flat_map(|red| (0..30).map(move |green| [8 * red, 8 * green, 0]));
        let mut many: HashMap<Rgb, u64> = shades.map(|color| (color, 2)).collect();
        many.insert([255, 255, 255], 1_000_000);
        many.insert([123, 45, 67], 999);
        let palette = Palette::new(&many);
        assert!(palette.colors.len() <= COLORS_MAX);
        assert_eq!(palette.colors[..2], [[255, 255, 255], [123, 45, 67]]);
        let farthest =
            many.keys().map(|&color| distance(palette.colors[usize::from(palette.place(color))], color)).max();
        assert!(farthest.unwrap() <= 16 * 16, "{farthest:?}");
    }
}
