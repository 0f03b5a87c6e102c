//! Colours.

use std::fmt;
use std::str::FromStr;

/// A colour of sRGB: red, green and blue, from 0 to 255.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rgb(pub [u8; 3]);

/// The error for a text that is no colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a colour is `#` and six hexadecimal digits, such as #0072B2")]
pub struct NoColor;

/// Of the form `#RRGGBB`, as in HTML.
impl FromStr for Rgb {
    type Err = NoColor;

    fn from_str(text: &str) -> Result<Self, NoColor> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6).ok_or(NoColor)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(NoColor);
        }
        let [_, red, green, blue] = u32::from_str_radix(digits, 16).map_err(|_| NoColor)?.to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

/// As `#RRGGBB`.
impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02X}{green:02X}{blue:02X}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_color_is_six_digits() {
        assert_eq!("#D55e00".parse(), Ok(Rgb([213, 94, 0])));
        assert_eq!(Rgb([213, 94, 0]).to_string(), "#D55E00");
        for text in ["", "#", "D55E00", "#D55E0", "#D55E000", "#+55E00", "#é55E0", "red"] {
            assert_eq!(text.parse::<Rgb>(), Err(NoColor), "{text}");
        }
    }
}
