//! Height fields: rows of heights, as the mesh of their triangles.
//!
//! Each square between four heights is two triangles, cut from its lower left to its upper right corner as seen from
//! above.

use glam::DVec3;

use super::soup::Soup;
use crate::scenario::error_kinds::GridFault;

/// The triangles over a grid of points that are `cell` apart along x and y, the last row at y = 0.
pub(super) fn soup(rows: &[Vec<f64>], [along_x, along_y]: [f64; 2]) -> Result<Soup, GridFault> {
    let wanted = rows.first().map_or(0, Vec::len);
    if let Some(row) = rows.iter().position(|row| row.len() != wanted || row.len() < 2) {
        return Err(GridFault::Heights { row, found: rows[row].len(), wanted });
    }
    if rows.len() < 2 {
        return Err(GridFault::Heights { row: rows.len(), found: 0, wanted });
    }
    let height = |(row, column): (usize, usize)| {
        let (x, y) = (column as f64 * along_x, (rows.len() - 1 - row) as f64 * along_y);
        DVec3::new(x, y, rows[row][column])
    };
    let vertices = (0..rows.len()).flat_map(|row| (0..wanted).map(move |column| (row, column))).map(height).collect();
    let corner = |row: usize, column: usize| (row * wanted + column) as u32;
    let squares = (1..rows.len()).flat_map(|row| (1..wanted).map(move |column| (row, column)));
    let triangles = squares.flat_map(|(row, column)| {
        let [low, high] = [corner(row, column - 1), corner(row - 1, column)];
        [[low, corner(row, column), high], [low, high, corner(row - 1, column - 1)]]
    });
    Ok(Soup { vertices, triangles: triangles.collect() })
}

/// The numbers of a file: rows of numbers between commas, semicolons, tabs or spaces.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Vec<f64>>, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("it is not text in UTF-8: {error}"))?;
    let lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate();
    let rows = lines.filter(|(_, line)| !line.trim().is_empty()).map(|(row, line)| {
        let words = line.split([',', ';', '\t', ' ']).map(str::trim).filter(|word| !word.is_empty());
        let number = |(column, word): (usize, &str)| {
            let number = word.parse::<f64>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| format!("line {}, number {}: `{word}` is not a height", row + 1, column + 1))
        };
        words.enumerate().map(number).collect()
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Mesh;

    #[test]
    fn triangles_face_up_and_go_through_the_heights() {
        let soup = soup(&[vec![1.0, 2.0, 3.0], vec![0.0, 5.0, 0.0]], [2.0, 0.5]).unwrap();
        assert_eq!(soup.vertices[0], DVec3::new(0.0, 0.5, 1.0));
        assert_eq!(soup.vertices[4], DVec3::new(2.0, 0.0, 5.0));
        let mesh = Mesh::new(&soup.vertices, &soup.triangles).unwrap();
        assert_eq!(mesh.triangles().len(), 4);
        assert!(mesh.triangles().iter().all(|triangle| triangle.cross().z > 0.0));
        let flat = super::soup(&[vec![0.0; 3], vec![0.0; 3], vec![0.0; 3]], [1.0; 2]).unwrap();
        assert_eq!(Mesh::new(&flat.vertices, &flat.triangles).unwrap().facet_count(), 1);
    }

    #[test]
    fn what_is_no_rectangle_of_numbers_is_named() {
        assert_eq!(read(b"1, 2\n\n3;4\t\n"), Ok(vec![vec![1.0, 2.0], vec![3.0, 4.0]]));
        assert!(read(b"1 2\n3 x").unwrap_err().contains("line 2, number 2"));
        assert!(read(b"1 inf").unwrap_err().contains("`inf`"));
        assert!(read(&[255]).unwrap_err().contains("UTF-8"));
        let heights = |rows: &[Vec<f64>]| soup(rows, [1.0; 2]).unwrap_err();
        assert_eq!(heights(&[vec![1.0, 2.0], vec![1.0]]), GridFault::Heights { row: 1, found: 1, wanted: 2 });
        assert_eq!(heights(&[vec![1.0, 2.0]]), GridFault::Heights { row: 1, found: 0, wanted: 2 });
        assert_eq!(heights(&[vec![1.0], vec![1.0]]), GridFault::Heights { row: 0, found: 1, wanted: 1 });
        assert_eq!(heights(&[]), GridFault::Heights { row: 0, found: 0, wanted: 0 });
    }
}
