//! Imported maps in a world: a ray from above meets a solid layer at the top of its tiles.

use carom::geometry::Ray;
use carom::record::{ImportFormat, ImportRequest};
use carom::world::Filter;
use glam::DVec3;

use super::{all, imported, scenario};

const MAP: &str = r#"<map tilewidth="16" tileheight="16"><layer name="walls" width="4" height="3"><data encoding="csv">
0,0,0,0,
0,7,0,3,
0,1,1,0</data></layer></map>"#;

/// The height at which a ray downwards meets the map at x, in the middle of its depth.
fn height(request: &ImportRequest, x: f64) -> Option<f64> {
    let world = scenario(&imported("x.tmx", MAP.as_bytes(), request)).world().unwrap();
    let ray = Ray { origin: DVec3::new(x, 0.0, 100.0), direction: DVec3::NEG_Z };
    world.cast_ray(&ray, f64::INFINITY, &Filter::ALL).map(|hit| 100.0 - hit.found.t)
}

#[test]
fn a_layer_of_a_map_is_met_where_its_tiles_are() {
    let tiles = all(ImportFormat::Tiled);
    for (x, wanted) in [(0.5, None), (1.5, Some(-1.0)), (2.5, Some(-2.0)), (3.5, Some(-1.0)), (4.5, None)] {
        assert_eq!(height(&tiles, x), wanted, "{x}");
    }
    let pixels = ImportRequest { scale: Some(0.25), depth: Some(0.5), ..tiles };
    assert_eq!(height(&pixels, 10.0), Some(-8.0));
}
