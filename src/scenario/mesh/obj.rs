//! Wavefront OBJ: vertices and faces, read by the `tobj` crate.
//!
//! Only the lines with vertices and faces are passed on to the crate. Names of objects and groups, materials, normals
//! and texture coordinates do not affect the geometry, so errors in them are ignored. All objects of a file become one
//! mesh.

use std::io::Cursor;

use glam::DVec3;
use tobj::{LoadError, LoadOptions};

use super::polygon;
use super::soup::Soup;
use crate::numeric::quantity::is_moderate;

/// The statements that define neither vertices nor faces (Wavefront, *Advanced Visualizer Manual*, appendix B1). They
/// include curved surfaces, which have no triangles.
const OTHER_STATEMENTS: &str = "vn vt vp p l o g s mg mtllib usemtl maplib usemap bevel c_interp d_interp lod shadow_obj \
    trace_obj ctech stech cstype deg bmat step curv curv2 surf parm trim hole scrv sp end con call";

/// Reads a file, or says what is wrong with it.
pub(super) fn read(bytes: &[u8]) -> Result<Soup, String> {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\r', "\n");
    let text = geometry_lines(text.strip_prefix('\u{feff}').unwrap_or(&text))?;
    let options = LoadOptions { ignore_points: true, ignore_lines: true, ..LoadOptions::default() };
    let mut reader = Cursor::new(text.as_bytes());
    let loaded = tobj::load_obj_buf(&mut reader, &options, |_| Err(LoadError::OpenFileFailed));
    let (models, _) = loaded.map_err(|error| trouble(&text, reader.position() as usize, error))?;
    if let Some(trouble) = bad_face(&text) {
        return Err(trouble);
    }
    // Without names of objects there is at most one model.
    let mesh = models.into_iter().next().map(|model| model.mesh).unwrap_or_default();
    if mesh.indices.is_empty() {
        return Err(match text.lines().position(|line| line.starts_with('f')) {
            None => "it has no face, that is no line such as `f 1 2 3`".to_owned(),
            Some(row) => format!("line {} is a face with fewer than 3 corners, and no other has more", row + 1),
        });
    }
    // The crate leaves vertices out that no face names.
    let wild = |line: &str| line.split(' ').skip(1).any(|word| word.parse().is_ok_and(|x: f64| !is_moderate(x)));
    if let Some(row) = text.lines().position(|line| line.starts_with('v') && wild(line)) {
        return Err(format!("line {} has a coordinate that is not finite, or larger than 1e70", row + 1));
    }
    let vertices: Vec<DVec3> =
        mesh.positions.as_chunks().0.iter().map(|&vertex: &[f64; 3]| DVec3::from_array(vertex)).collect();
    let triangles = triangulated(&text, &mesh, &vertices)?;
    Ok(Soup { vertices, triangles })
}

/// The faces as triangles. The crate leaves faces with fewer than three corners out.
fn triangulated(text: &str, mesh: &tobj::Mesh, vertices: &[DVec3]) -> Result<Vec<[u32; 3]>, String> {
    if mesh.face_arities.is_empty() {
        return Ok(mesh.indices.as_chunks().0.to_vec());
    }
    let mut rest = &mesh.indices[..];
    let mut triangles = Vec::with_capacity(mesh.indices.len());
    for (face, &arity) in mesh.face_arities.iter().enumerate() {
        let (corners, others) = rest.split_at(arity as usize);
        rest = others;
        let parts = polygon::triangles(corners, vertices);
        triangles.extend(parts.map_err(|trouble| format!("line {}: the face {trouble}", line_of(text, face)))?);
    }
    Ok(triangles)
}

/// The line of a face, from 1; faces with fewer than three corners do not count.
fn line_of(text: &str, face: usize) -> usize {
    let is_face = |line: &str| line.starts_with('f') && line.split(' ').count() > 3;
    1 + text.lines().enumerate().filter(|(_, line)| is_face(line)).nth(face).map_or(0, |(row, _)| row)
}

/// The lines with vertices and faces, cut to what the crate needs. All other lines become empty, so that line numbers
/// stay the same, except after a line that continues in the next one. A line with an unknown statement is refused: it
/// may be a misspelt vertex or face.
fn geometry_lines(text: &str) -> Result<String, String> {
    let mut kept = String::with_capacity(text.len());
    for (row, line) in text.replace("\\\n", " ").lines().enumerate() {
        let mut words = line.split_whitespace().take_while(|word| !word.starts_with('#'));
        let count = match words.next() {
            // After the coordinates there may be a weight, which polygons do not use, or a colour.
            Some("v") => 3,
            Some("f") => usize::MAX,
            Some(word) if !OTHER_STATEMENTS.split(' ').any(|known| known == word) => {
                let found: String = line.trim().chars().take(40).collect();
                return Err(format!(
                    "line {} is not a statement of this format: it begins with neither `v` nor `f`, \
                     nor with another of its words, found `{found}`",
                    row + 1
                ));
            }
            _ => 0,
        };
        if count > 0 {
            kept.push_str(if count == 3 { "v" } else { "f" });
            words.take(count).for_each(|word| kept.extend([" ", word]));
        }
        kept.push('\n');
    }
    Ok(kept)
}

/// What is wrong, in words, if reading stopped before the byte `stop`.
fn trouble(text: &str, stop: usize, error: LoadError) -> String {
    let line = text[..stop].matches('\n').count();
    match error {
        LoadError::PositionParseError => format!("line {line} must be `v` and three numbers"),
        LoadError::FaceParseError => {
            format!("line {line} must be `f` and numbers of vertices, as in `f 1 2 3` or `f 1/1/1 2/2/2 3/3/3`")
        }
        LoadError::FaceVertexOutOfBounds | LoadError::InvalidPolygon => {
            bad_face(text).unwrap_or_else(|| error.to_string())
        }
        other => other.to_string(),
    }
}

/// The first face that has no corners, or names a vertex that does not exist.
fn bad_face(text: &str) -> Option<String> {
    let count = text.lines().filter(|line| line.starts_with('v')).count() as i64;
    let mut seen = 0;
    for (row, line) in text.lines().enumerate() {
        seen += i64::from(line.starts_with('v'));
        if line == "f" {
            return Some(format!("line {} is a face without corners", row + 1));
        }
        for corner in line.strip_prefix("f ").unwrap_or_default().split(' ').filter(|word| !word.is_empty()) {
            let number: i64 = corner.split('/').next()?.parse().ok()?;
            // Negative numbers count backwards from the last vertex so far.
            let place = if number < 0 { seen + number } else { number - 1 };
            if !(0..count).contains(&place) {
                return Some(format!("line {} names vertex {number}, but there are {count}, counted from 1", row + 1));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

    #[test]
    fn every_way_to_write_a_square() {
        let wanted = read(format!("{SQUARE}f 1 2 3 4\n").as_bytes()).unwrap();
        assert_eq!(wanted.triangles, [[0, 1, 2], [0, 2, 3]]);
        let rows = [
            format!("# square\n{SQUARE}f -4 -3 -2 -1"),
            format!("o a\n{SQUARE}vt 0 0\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1 4/1/1\n"),
            format!(
                "{SQUARE}vn 0 0 1\r\ng b\r\ns off\r\nf 1//1 2//1 3//1\r\nusemtl red\r\nf 1//1 3//1 4//1 # half\r\n"
            ),
            format!("mtllib none.mtl\n{SQUARE}o a\nf 1/9 2/-9 3/99999999999 \\\n  4\nl 1 2\np 3\n"),
            format!("{SQUARE}o a\nf 1 2 3\no b\nf 1 3 4\n"),
            SQUARE.replace(" 0\n", " 0 1 0.5 0.5\n") + "f 1 2 3 4",
            format!("\u{feff}# caf\u{e9}\n  {SQUARE}\tf  1   2\t3 4\nf 1 2\nf 1\n"),
            format!("{SQUARE}vt\nvn x\nf 1 2 3 4"),
            format!("\u{feff}{SQUARE}f 1 2 3 4"),
            format!("{SQUARE}f 1 2 3 4\n").replace('\n', "\r"),
        ];
        for text in rows {
            assert_eq!(read(text.as_bytes()).as_ref(), Ok(&wanted), "{text}");
        }
        let latin = [b"# caf\xe9\n".as_slice(), SQUARE.as_bytes(), b"f 1 2 3 4\n"].concat();
        assert_eq!(read(&latin), Ok(wanted));
    }

    #[test]
    fn a_notch_is_not_covered() {
        let soup = read(b"v -2 2 0\nv -1 0 0\nv -2 -2 0\nv 2 0 0\nf 1 2 3 4\nf 1 2 4\n").unwrap();
        assert_eq!(soup.triangles, [[3, 0, 1], [1, 2, 3], [0, 1, 3]]);
        let crossed = read(b"v 0 0 0\nv 2 2 0\nv 2 0 0\nv 0 2.1 0\nf 1 2\n\nf 1 2 3\nf 1 2 3 4\n").unwrap_err();
        assert!(crossed.contains("line 8: the face crosses itself"), "{crossed}");
    }

    #[test]
    fn digits_beyond_single_precision_are_kept() {
        let soup = read(b"v 0.1 1e-300 3.141592653589793\nv 1 0 0\nv 0 1 0\nf 1 2 3").unwrap();
        assert_eq!(soup.vertices[0], DVec3::new(0.1, 1e-300, std::f64::consts::PI));
    }

    #[test]
    fn what_is_wrong_is_named_by_its_line() {
        let rows = [
            ("", "no face"),
            ("v 0 0 0\n", "no face"),
            ("hello\n", "line 1 is not a statement of this format"),
            (
                "v 0 0 0\nvertex 1 2 3\nf 1 1 1",
                "line 2 is not a statement of this format: it begins with neither `v` nor `f`",
            ),
            ("v 0 0 0\n\nV 1 2 3\n", "line 3 is not a statement of this format"),
            ("v 0 0 0\n1 2 3\n", "found `1 2 3`"),
            ("v 0 0 0\n\u{feff}v 1 2 3\n", "line 2 is not a statement of this format"),
            ("v 0 0\nf 1 1 1", "line 1 must be `v` and three numbers"),
            ("\nv 0 0 x\nf 1 1 1", "line 2 must be `v`"),
            ("v 0 0 0\n\nf 1 1 a", "line 3 must be `f` and numbers"),
            ("v 0 0 0\nf 1 1.5 1", "line 2 must be `f` and numbers"),
            ("v 0 0 0\nf 1 1 2", "line 2 names vertex 2, but there are 1, counted from 1"),
            ("v 0 0 0\nf 1 1 0", "line 2 names vertex 0"),
            ("v 0 0 0\nf 1 1 -2", "line 2 names vertex -2"),
            ("f -1 -1 -1\nv 0 0 0\n", "line 1 names vertex -1"),
            ("v 0 0 0\nf\n", "line 2 is a face without corners"),
            ("v 0 0 0\nv 0 nan 0\nv 1e999 0 0\nf 1 2 3", "line 2 has a coordinate that is not finite"),
            ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nv nan 0 0\n", "line 5 has a coordinate that is not finite"),
            ("v 0 0 0\nv 1 0 0\n\nf 1 2\nf 1\n", "line 4 is a face with fewer than 3 corners, and no other has more"),
        ];
        for (text, wanted) in rows {
            let found = read(text.as_bytes()).unwrap_err();
            assert!(found.contains(wanted), "{text:?}: {found}");
        }
    }
}
