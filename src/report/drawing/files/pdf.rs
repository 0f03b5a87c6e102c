//! A picture as a PDF of one page, as large as the picture. The faces of the typeface that occur are embedded, so its
//! words can be searched and copied.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec2;
use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::types::{CidFontType, FontFlags, LineCapStyle, LineJoinStyle, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use super::glyphs::lines;
use crate::report::drawing::canvas::{Canvas, Label, Mark};
use crate::report::drawing::ink::{Color, Ink};
use crate::report::drawing::style::points;
use crate::report::drawing::typeface::{Face, letter_count, width};

/// The compression level of streams, from 0 to 10.
const EFFORT: u8 = 9;
/// Distance of the control points of a quarter circle along its tangents, in radii: 4/3 (√2 − 1).
const QUARTER: f64 = 0.552_284_749_830_793_4;
/// The typeface's measures, thousandths of an em, from its tables `head`, `hhea` and `OS/2`.
const ASCENT: f32 = 905.0;
const DESCENT: f32 = -212.0;
const CAP_HEIGHT: f32 = 729.0;
const STEM: f32 = 80.0;
const BOUNDS: Rect = Rect { x1: -544.0, y1: -303.0, x2: 1302.0, y2: 980.0 };
const SYSTEM: SystemInfo<'_> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// The objects of the file.
#[derive(Clone, Copy)]
enum Object {
    Catalog = 1,
    Pages,
    Page,
    Content,
    Info,
}

/// The objects of a face.
#[derive(Clone, Copy)]
enum FaceObject {
    Font,
    CidFont,
    Descriptor,
    FontFile,
    Unicode,
}

impl Object {
    const fn id(self) -> Ref {
        Ref::new(self as i32)
    }
}

impl FaceObject {
    const fn id(self, face: Face) -> Ref {
        Ref::new(Object::Info as i32 + 1 + 5 * face as i32 + self as i32)
    }
}

/// The name of a face in the file, its name on the page, and its slant, degrees.
const fn named(face: Face) -> (Name<'static>, Name<'static>, f32) {
    match face {
        Face::Upright => (Name(b"Arimo-Regular"), Name(b"F"), 0.0),
        Face::Italic => (Name(b"Arimo-Italic"), Name(b"I"), -12.0),
    }
}

impl Canvas {
    /// The picture as the bytes of a PDF.
    pub(super) fn pdf(&self) -> Vec<u8> {
        let mut pen = Pen::new(self);
        pen.marks(self);
        let mut pdf = Pdf::new();
        pdf.catalog(Object::Catalog.id()).pages(Object::Pages.id());
        pdf.pages(Object::Pages.id()).kids([Object::Page.id()]).count(1);
        let mut page = pdf.page(Object::Page.id());
        page.media_box(Rect::new(0.0, 0.0, points(self.size.x) as f32, points(self.size.y) as f32));
        page.parent(Object::Pages.id()).contents(Object::Content.id());
        let mut resources = page.resources();
        let mut fonts = resources.fonts();
        for &face in pen.used.keys() {
            fonts.pair(named(face).1, FaceObject::Font.id(face));
        }
        fonts.finish();
        let mut states = resources.ext_g_states();
        for &alpha in &pen.alphas {
            let share = f32::from(alpha) / 255.0;
            states
                .insert(Name(state(alpha).as_bytes()))
                .start::<pdf_writer::writers::ExtGraphicsState<'_>>()
                .stroking_alpha(share)
                .non_stroking_alpha(share);
        }
        states.finish();
        resources.finish();
        page.finish();
        let content = compress_to_vec_zlib(&pen.content.finish(), EFFORT);
        pdf.stream(Object::Content.id(), &content).filter(Filter::FlateDecode);
        pen.used.iter().for_each(|(&face, used)| embed(&mut pdf, face, used));
        let mut info = pdf.document_info(Object::Info.id());
        info.title(TextStr(&self.title)).subject(TextStr(&self.description)).creator(TextStr("carom"));
        info.finish();
        pdf.finish()
    }
}

/// Puts a face into the file, as in section 9.7 of the PDF reference, 1.7; `used` are its letters and the characters
/// they stand for.
fn embed(pdf: &mut Pdf, face: Face, used: &BTreeMap<u16, char>) {
    let (name, _, slant) = named(face);
    let mut font = pdf.type0_font(FaceObject::Font.id(face));
    font.base_font(name).encoding_predefined(Name(b"Identity-H"));
    font.descendant_font(FaceObject::CidFont.id(face)).to_unicode(FaceObject::Unicode.id(face));
    font.finish();
    let mut cid = pdf.cid_font(FaceObject::CidFont.id(face));
    cid.subtype(CidFontType::Type2).base_font(name).system_info(SYSTEM);
    cid.font_descriptor(FaceObject::Descriptor.id(face))
        .default_width(0.0)
        .cid_to_gid_map_predefined(Name(b"Identity"));
    cid.widths().consecutive(0, (0..letter_count(face)).map(|glyph| (1000.0 * width(glyph, face)) as f32));
    cid.finish();
    let mut descriptor = pdf.font_descriptor(FaceObject::Descriptor.id(face));
    let flags = if slant == 0.0 { FontFlags::NON_SYMBOLIC } else { FontFlags::NON_SYMBOLIC | FontFlags::ITALIC };
    descriptor.name(name).flags(flags).bbox(BOUNDS).italic_angle(slant);
    descriptor.ascent(ASCENT).descent(DESCENT).cap_height(CAP_HEIGHT).stem_v(STEM);
    descriptor.font_file2(FaceObject::FontFile.id(face));
    descriptor.finish();
    let packed = compress_to_vec_zlib(face.file(), EFFORT);
    let mut file = pdf.stream(FaceObject::FontFile.id(face), &packed);
    file.pair(Name(b"Length1"), i32::try_from(face.file().len()).expect("the typeface is small"));
    file.filter(Filter::FlateDecode);
    file.finish();
    let mut unicode = UnicodeCmap::new(Name(b"Custom"), SYSTEM);
    used.iter().for_each(|(&glyph, &character)| unicode.pair(glyph, character));
    pdf.cmap(FaceObject::Unicode.id(face), &unicode.finish());
}

/// The name of the graphics state with this opacity, from 0 to 255.
fn state(alpha: u8) -> String {
    format!("A{alpha}")
}

/// The pen that draws the page.
struct Pen {
    content: Content,
    /// Height of the page, pixels.
    height: f64,
    alphas: BTreeSet<u8>,
    /// The letters that occur, of each face.
    used: BTreeMap<Face, BTreeMap<u16, char>>,
    theme: crate::scenario::plot::style::Theme,
}

impl Pen {
    fn new(canvas: &Canvas) -> Self {
        let (alphas, used) = (BTreeSet::new(), BTreeMap::new());
        let mut content = Content::new();
        content.set_line_cap(LineCapStyle::RoundCap).set_line_join(LineJoinStyle::RoundJoin);
        Self { content, height: canvas.size.y, alphas, used, theme: canvas.style.theme }
    }

    fn marks(&mut self, canvas: &Canvas) {
        let corners = [DVec2::ZERO, DVec2::new(canvas.size.x, 0.0), canvas.size, DVec2::new(0.0, canvas.size.y)];
        self.fill(&corners, Color { ink: Ink::Paper, alpha: 1.0 });
        for mark in &canvas.marks {
            match mark {
                Mark::Line(points, stroke) => {
                    self.pen(stroke.color, stroke.width);
                    self.trace(points);
                    self.content.stroke();
                }
                Mark::Area(points, color) => self.fill(points, *color),
                Mark::Disc(center, radius, color) => {
                    self.color(*color);
                    self.circle(*center, *radius);
                    self.content.fill_nonzero();
                }
                Mark::Ring(center, radius, stroke) => {
                    self.pen(stroke.color, stroke.width);
                    self.circle(*center, *radius);
                    self.content.stroke();
                }
                Mark::Label(label) => self.label(label),
            }
        }
    }

    fn fill(&mut self, corners: &[DVec2], color: Color) {
        self.color(color);
        self.trace(corners);
        self.content.close_path().fill_nonzero();
    }

    /// A point in the coordinates of the page: from its lower left corner, pt.
    fn place(&self, at: DVec2) -> [f32; 2] {
        [points(at.x) as f32, points(self.height - at.y) as f32]
    }

    fn trace(&mut self, line: &[DVec2]) {
        for (index, &point) in line.iter().enumerate() {
            let [x, y] = self.place(point);
            if index == 0 {
                self.content.move_to(x, y)
            } else {
                self.content.line_to(x, y)
            };
        }
    }

    fn circle(&mut self, center: DVec2, radius: f64) {
        let mut axis = DVec2::X * radius;
        let [x, y] = self.place(center + axis);
        self.content.move_to(x, y);
        for _ in 0..4 {
            let next = axis.perp();
            let [a, b, c] = [axis + QUARTER * next, next + QUARTER * axis, next].map(|by| self.place(center + by));
            self.content.cubic_to(a[0], a[1], b[0], b[1], c[0], c[1]);
            axis = next;
        }
        self.content.close_path();
    }

    fn color(&mut self, color: Color) {
        let [red, green, blue] = self.shade(color);
        self.content.set_fill_rgb(red, green, blue);
    }

    fn pen(&mut self, color: Color, width: f64) {
        let [red, green, blue] = self.shade(color);
        self.content.set_stroke_rgb(red, green, blue).set_line_width(points(width) as f32);
    }

    /// The colour in the theme; also sets its opacity.
    fn shade(&mut self, color: Color) -> [f32; 3] {
        let alpha = (color.alpha.clamp(0.0, 1.0) * 255.0).round() as u8;
        self.alphas.insert(alpha);
        self.content.set_parameters(Name(state(alpha).as_bytes()));
        color.ink.rgb(self.theme).map(|part| f32::from(part) / 255.0)
    }

    fn label(&mut self, label: &Label) {
        self.color(label.color);
        for line in lines(label) {
            let [x, y] = self.place(line.at);
            let (cosine, sine) = (line.along.x as f32, -line.along.y as f32);
            self.content.begin_text().set_font(named(line.face).1, points(line.size) as f32);
            self.content.set_text_matrix([cosine, sine, -sine, cosine, x, y]);
            let mut positioned = self.content.show_positioned();
            let mut items = positioned.items();
            let mut pen = 0.0;
            for letter in &line.letters {
                // Kerning, in thousandths of an em to the left.
                let gap = pen - letter.at;
                if gap != 0.0 {
                    items.adjust((1000.0 * gap) as f32);
                }
                items.show(Str(&letter.glyph.to_be_bytes()));
                pen = letter.at + width(letter.glyph, line.face);
                self.used.entry(line.face).or_default().insert(letter.glyph, letter.character);
            }
            items.finish();
            positioned.finish();
            self.content.end_text();
        }
    }
}
