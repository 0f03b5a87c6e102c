//! STL, as text and as binary, read by the `stl_io` crate.
//!
//! The word `solid` alone does not show that a file is text, because many binary files begin with it, too. The length
//! that a binary file states decides. Text is converted to the form that the crate reads: several solids become one,
//! and capital letters become small ones. Normals are left out, because the triangles define them and some programs
//! write NaN there. Coordinates have single precision, as in the format, and keep their value.

use std::io::{Cursor, ErrorKind};

use glam::DVec3;
use stl_io::Vertex;

use super::soup::Soup;
use crate::scenario::limits::TRIANGLES_MAX;

/// Bytes before the first triangle of a binary file: 80 bytes without meaning, and the number of triangles.
const HEAD: usize = 84;

/// Bytes of a triangle in a binary file.
const TRIANGLE: u64 = 50;

/// Reads a file, or says what is wrong with it. At most one triangle more than the limit is read.
pub(super) fn read(bytes: &[u8]) -> Result<Soup, String> {
    let bytes = if is_binary(bytes) { with_plain_head(bytes) } else { plain_text(bytes)? };
    let mut cursor = Cursor::new(bytes);
    let reader = stl_io::create_stl_reader(&mut cursor).map_err(|error| error.to_string())?;
    let mut soup = Soup::default();
    for triangle in reader.take(TRIANGLES_MAX + 1) {
        let row = soup.triangles.len();
        let triangle = triangle.map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => format!("the file ends before or within triangle {row}, counted from 0"),
            _ => format!("triangle {row}, counted from 0: {error}"),
        })?;
        if !triangle.vertices.iter().flat_map(|vertex| vertex.0).all(f32::is_finite) {
            return Err(format!("triangle {row}, counted from 0, has a coordinate that is not finite"));
        }
        let first = soup.vertices.len() as u32;
        soup.vertices.extend(triangle.vertices.map(|Vertex { 0: vertex }| DVec3::from_array(vertex.map(f64::from))));
        soup.triangles.push([first, first + 1, first + 2]);
    }
    Ok(soup)
}

/// Whether a file is binary: it has the length that its head states, or it does not begin with `solid`.
fn is_binary(bytes: &[u8]) -> bool {
    let Some((head, triangles)) = bytes.split_at_checked(HEAD) else { return false };
    let count = u32::from_le_bytes([head[80], head[81], head[82], head[83]]);
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let solid = text.trim_ascii_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    u64::from(count) * TRIANGLE == triangles.len() as u64 || !solid
}

/// The binary file with zeros in its head, so that the crate cannot take it for text.
fn with_plain_head(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[..80].fill(0);
    bytes
}

/// The words of a line. `end loop`, which some programs write, is one word.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    if words.len() > 1 && words[0] == "end" && ["solid", "loop", "facet"].contains(&words[1].as_str()) {
        let end = words.remove(0);
        words[0].insert_str(0, &end);
    }
    words
}

/// The text in the form that the crate reads.
fn plain_text(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\r', "\n").to_ascii_lowercase();
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let first_word = |line: &str| words(line).first().cloned().unwrap_or_default();
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).peekable();
    if lines.peek().is_none_or(|(_, line)| first_word(line) != "solid") {
        return Err("it must begin with the word `solid`, or be binary, with 84 bytes before the triangles".to_owned());
    }
    let last = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    if first_word(last) != "endsolid" {
        return Err("it ends too early: its last line must begin with `endsolid`".to_owned());
    }
    let mut plain = String::from("solid \n");
    for (row, line) in lines {
        let words = words(line);
        match (words[0].as_str(), words.len()) {
            ("solid" | "endsolid", _) => continue,
            ("facet", _) => plain.push_str("facet normal 0 0 0"),
            ("outer", 2) | ("vertex", 4) | ("endloop" | "endfacet", 1) => plain.push_str(&words.join(" ")),
            _ => {
                let found: String = line.trim().chars().take(40).collect();
                return Err(format!(
                    "line {} must be one of `facet normal x y z`, `outer loop`, `vertex x y z`, `endloop`, \
                     `endfacet`, found `{found}`",
                    row + 1
                ));
            }
        }
        plain.push('\n');
    }
    plain.push_str("endsolid\n");
    Ok(plain.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACET: &str =
        "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1.5 0 0\n  vertex 0 0.1 -2e3\n endloop\nendfacet\n";

    fn binary(head: &str, count: u32, triangles: usize) -> Vec<u8> {
        let mut bytes = vec![b' '; 80];
        bytes[..head.len()].copy_from_slice(head.as_bytes());
        bytes.extend(count.to_le_bytes());
        let numbers: [f32; 12] = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 0.1, -2e3];
        for _ in 0..triangles {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            bytes.extend([7, 7]);
        }
        bytes
    }

    #[test]
    fn every_way_to_write_one_triangle() {
        let wanted = [DVec3::ZERO, DVec3::new(1.5, 0.0, 0.0), DVec3::new(0.0, f64::from(0.1_f32), -2000.0)];
        let rows = [
            format!("solid name of it\n{FACET}endsolid name of it\n").into_bytes(),
            format!("\n  solid\n{FACET}endsolid").into_bytes(),
            format!("\u{feff}solid\n{FACET}endsolid").into_bytes(),
            format!("solid\n{FACET}endsolid\n").replace('\n', "\r").into_bytes(),
            format!("SOLID\r\n{}ENDSOLID\r\n\r\n", FACET.to_uppercase().replace('\n', "\r\n")).into_bytes(),
            format!("solid\n{}endsolid", FACET.replace("normal 0 0 1", "normal nan -nan(ind) inf")).into_bytes(),
            [b"solid caf\xe9\n".as_slice(), FACET.as_bytes(), b"endsolid caf\xe9\n"].concat(),
            format!("solid a\n{FACET}end solid a")
                .replace("endloop", "end loop")
                .replace("endfacet", "END FACET")
                .into_bytes(),
            binary("", 1, 1),
            binary("solid but binary", 1, 1),
        ];
        for bytes in rows {
            let soup = read(&bytes).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&bytes)));
            assert_eq!((soup.vertices.as_slice(), soup.triangles.as_slice()), (&wanted[..], &[[0, 1, 2]][..]));
        }
        let two = format!("solid a\n{FACET}endsolid a\nsolid b\n{FACET}endsolid b\n");
        assert_eq!(read(two.as_bytes()).unwrap().triangles, [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(read(&binary("", 1000, 1000)).unwrap().triangles.len(), 1000);
        assert_eq!(read(&binary("", 1, 3)).unwrap().triangles.len(), 1, "what follows the triangles does not count");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let mut wild = binary("", 2, 2);
        wild[84 + 50 + 12..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
        let rows = [
            (b"".to_vec(), "must begin with the word `solid`"),
            (b"v 0 0 0".to_vec(), "must begin with the word `solid`"),
            (format!("solid\n{FACET}").into_bytes(), "it ends too early"),
            (format!("solid\n{FACET}hello\nendsolid").into_bytes(), "line 9 must be one of"),
            (
                format!("solid\n{}endsolid", FACET.replace("1.5 0 0", "1.5 0 0 0")).into_bytes(),
                "found `vertex 1.5 0 0 0`",
            ),
            (
                format!("solid\n{FACET}facet normal 0 0 1\nouter loop\nendsolid").into_bytes(),
                "triangle 1, counted from 0",
            ),
            (
                format!("solid\n{}endsolid", FACET.replace("1.5", "x")).into_bytes(),
                "triangle 0, counted from 0: invalid",
            ),
            (format!("solid\n{}endsolid", FACET.replace("1.5", "nan")).into_bytes(), "expected finite"),
            (binary("", 3, 2), "the file ends before or within triangle 2, counted from 0"),
            (binary("", u32::MAX, 2), "triangle 2, counted from 0"),
            (binary("", 5, 0), "triangle 0, counted from 0"),
            (wild, "triangle 1, counted from 0, has a coordinate that is not finite"),
        ];
        for (bytes, wanted) in rows {
            let found = read(&bytes).unwrap_err();
            assert!(found.contains(wanted), "{found} for {wanted}");
        }
    }
}
