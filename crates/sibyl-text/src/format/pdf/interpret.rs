//! Walks a page's content stream and notes every glyph and every ruling with its place.

mod annotation;
mod marked;
mod painting;

use super::backdrop::{self, Clip, Covers, Shape};
use super::copies;
use super::font::{Face, Fonts};
use super::geometry::{Matrix, Rect};
use super::glyph::{Artifact, Glyph};
use super::ink::Ink;
use super::ruling::{Painted, Path, Ruling};
use super::sector::Sector;
use super::shifted;
use super::struck;
use super::tags::Tags;
use super::visibility::Layers;
use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::dict::keys::SUBTYPE;
use hayro_syntax::object::{Array, Dict, Name, Number, Object, ObjectIdentifier, Stream};
use hayro_syntax::page::{Page, Resources};
use marked::Mark;
use std::rc::Rc;

/// Depth of form XObjects inside each other beyond which content is left out.
const MAX_FORM_DEPTH: usize = 10;
/// Depth of saved graphics states beyond which saving is ignored.
const MAX_STATES: usize = 512;
/// Operators of one page beyond which the rest of it is left out. The largest drawings seen have some 100,000.
const MAX_OPERATORS: usize = 3_000_000;
/// Glyphs of one page beyond which the rest of it is left out.
const MAX_GLYPHS: usize = 400_000;
/// Rulings of one page beyond which further ones are ignored: such a page is a drawing.
const MAX_RULINGS: usize = 20_000;

/// What stands on a page.
#[derive(Default)]
pub(super) struct Content {
    pub(super) glyphs: Vec<Glyph>,
    pub(super) rulings: Vec<Ruling>,
    /// Boxes that are filled or that clip what stands in them.
    pub(super) painted: Vec<Painted>,
    /// Filled shapes that can be bullets.
    pub(super) bullets: Vec<Painted>,
    /// Filled slices of pies and pieces of rings.
    pub(super) sectors: Vec<Sector>,
    /// Boxes that are filled and have a line around them.
    pub(super) outlined: Vec<Painted>,
    /// Where images stand.
    pub(super) images: Vec<Rect>,
    /// All that is painted.
    pub(super) shapes: Vec<Shape>,
    /// Some text of the page is not seen on it, and is left out.
    pub(super) unseen: bool,
    /// What annotations strike through.
    pub(super) strikes: Vec<Rect>,
    /// A limit was met and the rest left out.
    pub(super) truncated: bool,
}

/// Reads the content of `page`, which is the `index`th from 0.
pub(super) fn content<'a>(
    page: &Page<'a>,
    index: usize,
    fonts: &mut Fonts<'a>,
    layers: &Layers,
    tags: &Tags,
) -> Content {
    let base = Matrix(page.initial_transform(true).as_coeffs());
    let mut interpreter = Interpreter {
        fonts,
        layers,
        tags,
        page: index,
        state: State::new(base),
        saved: Vec::new(),
        marks: Vec::new(),
        path: Path::default(),
        clips: false,
        operators: 0,
        out: Content::default(),
    };
    interpreter.run(page.typed_operations(), page.resources(), None, 0);
    interpreter.annotations(page, base);
    let mut out = interpreter.out;
    out.unseen |= backdrop::strip(&mut out.glyphs, &out.shapes, page.render_dimensions());
    struck::mark(&mut out.glyphs, &mut out.rulings, &out.strikes);
    copies::drop(&mut out.glyphs);
    shifted::mark(&mut out.glyphs, &mut interpreter.fonts.known);
    out
}

struct Interpreter<'i, 'a> {
    fonts: &'i mut Fonts<'a>,
    layers: &'i Layers,
    tags: &'i Tags,
    page: usize,
    state: State<'a>,
    saved: Vec<State<'a>>,
    marks: Vec<Mark>,
    path: Path,
    /// The path under construction becomes a clip.
    clips: bool,
    operators: usize,
    out: Content,
}

#[derive(Clone)]
struct State<'a> {
    ctm: Matrix,
    text: Matrix,
    line: Matrix,
    face: Option<Rc<Face<'a>>>,
    size: f64,
    char_space: f64,
    word_space: f64,
    stretch: f64,
    leading: f64,
    rise: f64,
    mode: i64,
    ink: Ink,
    /// Whether the colours of its space are known.
    known: bool,
    /// Whether nothing shines through what is filled.
    opaque: bool,
    /// Whether what is filled leaves no ink at all.
    clear: bool,
    /// Whether something shines through all of the form that is drawn.
    faint: bool,
    /// Width of lines.
    line_width: f64,
    clip: Clip,
}

impl State<'_> {
    fn new(ctm: Matrix) -> Self {
        Self {
            ctm,
            text: Matrix::IDENTITY,
            line: Matrix::IDENTITY,
            face: None,
            size: 0.0,
            char_space: 0.0,
            word_space: 0.0,
            stretch: 1.0,
            leading: 0.0,
            rise: 0.0,
            mode: 0,
            ink: Ink::BLACK,
            known: true,
            opaque: true,
            clear: false,
            faint: false,
            line_width: 1.0,
            clip: Clip::ALL,
        }
    }
}

impl<'a> Interpreter<'_, 'a> {
    fn run(
        &mut self,
        mut operations: TypedIter<'_>,
        resources: &Resources<'a>,
        form: Option<ObjectIdentifier>,
        depth: usize,
    ) {
        let (states, marks) = (self.saved.len(), self.marks.len());
        while let Some(op) = operations.next() {
            self.operators += 1;
            if self.operators > MAX_OPERATORS || self.out.glyphs.len() > MAX_GLYPHS {
                self.out.truncated = true;
                break;
            }
            self.step(op, resources, form, depth, states, marks);
        }
        self.saved.truncate(states);
        while self.marks.len() > marks {
            self.end_mark();
        }
    }

    fn step(
        &mut self,
        op: Op<'_, '_>,
        resources: &Resources<'a>,
        form: Option<ObjectIdentifier>,
        depth: usize,
        states: usize,
        marks: usize,
    ) {
        match op {
            Op::SaveState(_) if self.saved.len() < MAX_STATES => self.saved.push(self.state.clone()),
            Op::RestoreState(_) if self.saved.len() > states => {
                if let Some(state) = self.saved.pop() {
                    self.state = state;
                }
            }
            Op::Transform(m) => {
                let next = matrix([m.0, m.1, m.2, m.3, m.4, m.5]).then(self.state.ctm);
                if next.is_sane() {
                    self.state.ctm = next;
                }
            }
            Op::SetGraphicsState(name) => {
                let dict = resources.get_ext_g_state(name.0);
                if let Some(pair) = dict.and_then(|d| d.get::<Array<'_>>("Font")) {
                    let mut pair = pair.flex_iter();
                    let (font, size) = (pair.next::<Dict<'_>>(), pair.next::<f64>());
                    self.state.face = font.and_then(|dict| self.fonts.face(&dict));
                    self.state.size = size.unwrap_or(0.0);
                }
                if let Some(dict) = resources.get_ext_g_state(name.0) {
                    self.transparency(&dict);
                }
            }
            Op::LineWidth(v) => self.state.line_width = v.0.as_f64(),
            Op::TextFont(font) => {
                self.state.face = resources.get_font(font.0).and_then(|dict| self.fonts.face(&dict));
                self.state.size = font.1.as_f64();
            }
            Op::NonStrokeColorDeviceGray(v) => self.device(Ink::grey(v.0.as_f64())),
            Op::NonStrokeColorDeviceRgb(v) => {
                self.device(Ink::rgb(v.0.as_f64(), v.1.as_f64(), v.2.as_f64()));
            }
            Op::NonStrokeColorCmyk(v) => {
                let [cyan, magenta, yellow, black] = [v.0, v.1, v.2, v.3].map(|n| n.as_f64());
                self.device(Ink::cmyk(cyan, magenta, yellow, black));
            }
            Op::NonStrokeColor(v) => self.colour(&v.0),
            Op::NonStrokeColorNamed(v) => self.colour(&v.0),
            // Each space begins with its black, or with what comes nearest to it.
            Op::ColorSpaceNonStroke(space) => {
                self.state.ink = Ink::BLACK;
                self.state.known = painting::is_known(space.0, resources);
            }
            Op::BeginText(_) => self.set_line(Matrix::IDENTITY),
            Op::CharacterSpacing(v) => self.state.char_space = v.0.as_f64(),
            Op::WordSpacing(v) => self.state.word_space = v.0.as_f64(),
            Op::HorizontalScaling(v) => self.state.stretch = v.0.as_f64() / 100.0,
            Op::TextLeading(v) => self.state.leading = v.0.as_f64(),
            Op::TextRise(v) => self.state.rise = v.0.as_f64(),
            Op::TextRenderingMode(v) => self.state.mode = v.0.as_i64(),
            Op::NextLine(v) => self.next_line(v.0.as_f64(), v.1.as_f64()),
            Op::NextLineAndSetLeading(v) => {
                self.state.leading = -v.1.as_f64();
                self.next_line(v.0.as_f64(), v.1.as_f64());
            }
            Op::NextLineUsingLeading(_) => self.next_line(0.0, -self.state.leading),
            Op::SetTextMatrix(m) => self.set_line(matrix([m.0, m.1, m.2, m.3, m.4, m.5])),
            Op::ShowText(text) => self.show(text.0),
            Op::NextLineAndShowText(text) => {
                self.next_line(0.0, -self.state.leading);
                self.show(text.0);
            }
            Op::ShowTextWithParameters(text) => {
                self.state.word_space = text.0.as_f64();
                self.state.char_space = text.1.as_f64();
                self.next_line(0.0, -self.state.leading);
                self.show(text.2);
            }
            Op::ShowTexts(parts) => {
                for part in parts.0.iter::<Object<'_>>() {
                    match part {
                        Object::String(text) => self.show(&text),
                        Object::Number(shift) => {
                            let by = -shift.as_f64() / 1000.0 * self.state.size;
                            let across = self.state.face.as_ref().is_none_or(|f| f.horizontal);
                            let (x, y) = if across { (by * self.state.stretch, 0.0) } else { (0.0, by) };
                            self.state.text = Matrix::shift(x, y).then(self.state.text);
                        }
                        _ => {}
                    }
                }
            }
            Op::BeginMarkedContent(tag) => self.begin_mark(tag.0, None, resources, form),
            Op::BeginMarkedContentWithProperties(tag) => self.begin_mark(tag.0, Some(tag.1), resources, form),
            Op::EndMarkedContent(_) if self.marks.len() > marks => self.end_mark(),
            Op::XObject(name) => {
                if let Some(stream) = resources.get_x_object(name.0) {
                    self.x_object(&stream, resources, depth);
                }
            }
            Op::MoveTo(p) => self.path.move_to(self.point(p.0, p.1)),
            Op::LineTo(p) => self.path.line_to(self.point(p.0, p.1)),
            Op::CubicTo(p) => {
                let first = Some(self.point(p.0, p.1));
                self.path.curve_to(first, self.point(p.2, p.3), self.point(p.4, p.5));
            }
            Op::CubicStartTo(p) => self.path.curve_to(None, self.point(p.0, p.1), self.point(p.2, p.3)),
            Op::CubicEndTo(p) => {
                let to = self.point(p.2, p.3);
                self.path.curve_to(Some(self.point(p.0, p.1)), to, to);
            }
            Op::ClosePath(_) => self.path.close(),
            Op::RectPath(r) => {
                let [x, y, w, h] = [r.0, r.1, r.2, r.3].map(|n| n.as_f64());
                let ctm = self.state.ctm;
                self.path.rectangle([
                    ctm.apply(x, y),
                    ctm.apply(x + w, y),
                    ctm.apply(x + w, y + h),
                    ctm.apply(x, y + h),
                ]);
            }
            Op::StrokePath(_) => self.paint(true, false),
            Op::CloseAndStrokePath(_) => {
                self.path.close();
                self.paint(true, false);
            }
            Op::CloseFillAndStrokeNonZero(_) | Op::CloseFillAndStrokeEvenOdd(_) => {
                self.path.close();
                self.paint(true, true);
            }
            Op::FillAndStrokeNonZero(_) | Op::FillAndStrokeEvenOdd(_) => self.paint(true, true),
            Op::FillPathNonZero(_) | Op::FillPathNonZeroCompatibility(_) | Op::FillPathEvenOdd(_) => {
                self.paint(false, true);
            }
            Op::ClipNonZero(_) | Op::ClipEvenOdd(_) => self.clips = true,
            Op::EndPath(_) => {
                if self.clips {
                    self.paint_boxes(true);
                }
                self.end_path();
            }
            Op::Shading(_) => self.shade(),
            Op::InlineImage(_) => self.shape(self.state.clip.rect, Covers::No),
            _ => {}
        }
    }

    fn point(&self, x: Number, y: Number) -> (f32, f32) {
        self.state.ctm.apply(x.as_f64(), y.as_f64())
    }

    fn set_line(&mut self, line: Matrix) {
        if line.is_sane() {
            self.state.line = line;
            self.state.text = line;
        }
    }

    fn next_line(&mut self, x: f64, y: f64) {
        self.set_line(Matrix::shift(x, y).then(self.state.line));
    }

    fn show(&mut self, bytes: &[u8]) {
        let Some(face) = self.state.face.clone() else { return };
        let mark = self.marks.last();
        let hidden = mark.is_some_and(|m| m.hidden);
        let (item, artifact) = mark.map_or((None, Artifact::No), |m| (m.item, m.artifact));
        let (size, rise, stretch) = (self.state.size, self.state.rise, self.state.stretch);
        let mut offset = 0;
        while offset < bytes.len() {
            let (code, len) = face.read(bytes, offset);
            offset += len;
            let known = face.code(code);
            let spacing =
                self.state.char_space + if len == 1 && code == 32 { self.state.word_space } else { 0.0 };
            // Along the line, the glyph itself and then the spacing after it.
            let (ink, step) = if face.horizontal {
                let ink = known.advance.0 * size * stretch;
                ((ink, 0.0), (ink + spacing * stretch, 0.0))
            } else {
                let ink = known.advance.1 * size;
                ((0.0, ink), (0.0, ink + spacing))
            };
            let place = Matrix::shift(0.0, rise).then(self.state.text).then(self.state.ctm);
            self.state.text = Matrix::shift(step.0, step.1).then(self.state.text);
            if hidden || !place.is_sane() || self.out.glyphs.len() > MAX_GLYPHS {
                continue;
            }
            let (up, down) = (f64::from(face.ascent) * size, f64::from(face.descent) * size);
            let (low, high) = if face.horizontal {
                (place.apply(0.0, -down), place.apply(ink.0, up))
            } else {
                (place.apply(-size / 2.0, 0.0), place.apply(size / 2.0, ink.1))
            };
            let [.., c, d, _, _] = place.0;
            let rect = Rect::around(low, high);
            let track = (self.state.char_space * stretch).max(0.0);
            let (from, to) = (place.apply(0.0, 0.0), place.apply(track, 0.0));
            self.out.glyphs.push(Glyph {
                tracking: if face.horizontal { (to.0 - from.0).hypot(to.1 - from.1) } else { 0.0 },
                text: known.text,
                start: place.apply(0.0, 0.0),
                end: place.apply(ink.0, ink.1),
                rect,
                size: (c.hypot(d) * size).abs() as f32,
                face: face.number,
                // Writers make letters bold by stroking them too.
                bold: face.bold || self.state.mode == 2,
                ink: self.state.ink,
                fill: if self.state.mode == 0 { self.fill() } else { Ink::UNKNOWN },
                fixed: face.fixed,
                unseen: self.state.mode == 3 || self.state.mode == 0 && self.state.clear,
                struck: false,
                cut: self.state.clip.cuts(&rect),
                item,
                artifact,
            });
        }
    }

    fn x_object(&mut self, stream: &Stream<'a>, resources: &Resources<'a>, depth: usize) {
        let dict = stream.dict();
        let visible =
            dict.get::<Dict<'_>>("OC").is_none_or(|layer| self.layers.visible(dict.get_ref("OC"), &layer));
        let hidden = !visible || self.marks.last().is_some_and(|m| m.hidden);
        match dict.get::<Name<'_>>(SUBTYPE).as_deref() {
            Some(b"Form") if depth < MAX_FORM_DEPTH && !hidden => {
                let Ok(data) = stream.decoded_data() else { return };
                // Decoding costs as well: forms that call each other many times meet the operator limit sooner.
                self.operators += data.len() / 64;
                let inner = dict.get::<Dict<'_>>("Resources").map(Resources::new);
                let outer = self.state.clone();
                if let Some(m) = dict.get::<[f64; 6]>("Matrix") {
                    let next = Matrix(m).then(self.state.ctm);
                    if next.is_sane() {
                        self.state.ctm = next;
                    }
                }
                if let Some([left, bottom, right, top]) = dict.get::<[f64; 4]>("BBox") {
                    let corner = |x, y| self.state.ctm.apply(x, y);
                    let a = Rect::around(corner(left, bottom), corner(right, top));
                    let b = Rect::around(corner(left, top), corner(right, bottom));
                    self.state.clip = self.state.clip.within(Clip { rect: a.union(&b), whole: a == b });
                }
                self.state.faint |= !self.state.opaque;
                let path = std::mem::take(&mut self.path);
                let id = Some(stream.obj_id());
                self.run(TypedIter::new(&data), inner.as_ref().unwrap_or(resources), id, depth + 1);
                self.path = path;
                self.state = outer;
            }
            Some(b"Image") if !hidden && self.out.images.len() < MAX_RULINGS => {
                // An image fills the unit square of its space (ISO 32000-1, 8.9.5.1).
                let corner = |x, y| self.state.ctm.apply(x, y);
                let (a, b, c, d) = (corner(0.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0), corner(1.0, 0.0));
                let rect = Rect::around(a, b).union(&Rect::around(c, d));
                self.out.images.push(rect);
                let level = rect == Rect::around(a, b);
                let covers = if level && painting::is_opaque(dict) { Covers::Picture } else { Covers::No };
                self.shape(rect, covers);
            }
            _ => {}
        }
    }
}

fn matrix(numbers: [Number; 6]) -> Matrix {
    Matrix(numbers.map(|n| n.as_f64()))
}
