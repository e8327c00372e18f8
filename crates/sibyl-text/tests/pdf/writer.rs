//! A small writer of PDF files: pages of lines in Helvetica, rulings and whatever else a test puts in.

/// A file under construction.
#[derive(Default)]
pub struct File {
    pages: Vec<Page>,
    catalog: String,
    objects: Vec<String>,
}

/// A page of 600 × 800 points; y counts from the top.
#[derive(Default, Clone)]
pub struct Page {
    ops: String,
    resources: String,
    wide: bool,
}

pub const PAGE_HEIGHT: f32 = 800.0;

impl Page {
    /// A line of text with its baseline at `y`.
    pub fn text(mut self, x: f32, y: f32, size: f32, text: &str) -> Self {
        self.ops += &show("F1", x, y, size, text);
        self
    }
    /// The same in bold.
    pub fn bold(mut self, x: f32, y: f32, size: f32, text: &str) -> Self {
        self.ops += &show("F2", x, y, size, text);
        self
    }
    /// Lines 12 points apart in 10 points.
    pub fn lines(self, x: f32, y: f32, lines: &[&str]) -> Self {
        lines.iter().enumerate().fold(self, |page, (i, line)| page.text(x, y + 12.0 * i as f32, 10.0, line))
    }
    /// A straight line.
    pub fn rule(mut self, from: (f32, f32), to: (f32, f32)) -> Self {
        let flip = |y: f32| PAGE_HEIGHT - y;
        self.ops += &format!("{} {} m {} {} l S\n", from.0, flip(from.1), to.0, flip(to.1));
        self
    }
    /// The same page twice as wide.
    pub fn wide(mut self) -> Self {
        self.wide = true;
        self
    }
    /// Operators as they are.
    pub fn raw(mut self, ops: &str) -> Self {
        self.ops += ops;
        self.ops.push('\n');
        self
    }
    /// Further entries of the page's resources.
    pub fn resources(mut self, entries: &str) -> Self {
        self.resources += entries;
        self
    }
}

fn show(font: &str, x: f32, y: f32, size: f32, text: &str) -> String {
    let hex: String = text.chars().map(|c| format!("{:02X}", win_ansi(c))).collect();
    format!("BT /{font} {size} Tf 1 0 0 1 {x} {} Tm <{hex}> Tj ET\n", PAGE_HEIGHT - y)
}

/// Width of a text in Helvetica (points); letters beyond ASCII count as wide as a digit.
pub fn width(text: &str, size: f32) -> f32 {
    wide(&HELVETICA, text, size)
}

/// The same in Helvetica-Bold.
pub fn bold_width(text: &str, size: f32) -> f32 {
    wide(&HELVETICA_BOLD, text, size)
}

fn wide(widths: &[u16; 95], text: &str, size: f32) -> f32 {
    let wide = |c: char| (c as usize).checked_sub(32).and_then(|at| widths.get(at)).copied().unwrap_or(556);
    text.chars().map(|c| f32::from(wide(c))).sum::<f32>() * size / 1000.0
}

/// Widths of the letters from the space to the tilde in Helvetica, in thousandths of its size (Adobe's font metrics).
const HELVETICA: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
/// The same in Helvetica-Bold.
const HELVETICA_BOLD: [u16; 95] = [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278,
    556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584,
    556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556,
    333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
];

fn win_ansi(c: char) -> u8 {
    match c {
        '•' => 0x95,
        '–' => 0x96,
        '’' => 0x92,
        c => u8::try_from(u32::from(c)).expect("a character of Latin-1"),
    }
}

impl File {
    pub fn page(mut self, page: Page) -> Self {
        self.pages.push(page);
        self
    }
    /// A page before all others.
    pub fn first(mut self, page: Page) -> Self {
        self.pages.insert(0, page);
        self
    }
    /// Further entries of the catalog.
    pub fn catalog(mut self, entries: &str) -> Self {
        self.catalog += entries;
        self
    }
    /// A further object; the first one is number [`FIRST_FREE`].
    pub fn object(mut self, body: &str) -> Self {
        self.objects.push(body.to_owned());
        self
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> Vec<u8> {
        let first_page = FIRST_FREE + self.objects.len();
        let kids: String = (0..self.pages.len()).map(|i| format!("{} 0 R ", first_page + 2 * i)).collect();
        let mut bodies = vec![
            format!("<< /Type /Catalog /Pages 2 0 R {} >>", self.catalog),
            format!(
                "<< /Type /Pages /Count {} /Kids [{kids}] /MediaBox [0 0 600 {PAGE_HEIGHT}] >>",
                self.pages.len()
            ),
            font("Helvetica"),
            font("Helvetica-Bold"),
        ];
        bodies.extend(self.objects.iter().cloned());
        for (i, page) in self.pages.iter().enumerate() {
            bodies.push(format!(
                "<< /Type /Page /Parent 2 0 R{} /Contents {} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> {} >> >>",
                if page.wide { " /MediaBox [0 0 1200 800]" } else { "" },
                first_page + 2 * i + 1,
                page.resources
            ));
            bodies.push(format!("<< /Length {} >>\nstream\n{}\nendstream", page.ops.len() + 1, page.ops));
        }
        let mut out = b"%PDF-1.7\n".to_vec();
        let mut offsets = Vec::new();
        for (i, body) in bodies.iter().enumerate() {
            offsets.push(out.len());
            out.extend(format!("{} 0 obj\n{body}\nendobj\n", i + 1).bytes());
        }
        let start = out.len();
        out.extend(format!("xref\n0 {}\n0000000000 65535 f \n", bodies.len() + 1).bytes());
        for offset in offsets {
            out.extend(format!("{offset:010} 00000 n \n").bytes());
        }
        let size = bodies.len() + 1;
        out.extend(format!("trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").bytes());
        out
    }
}

/// Number of the first object that a test adds.
pub const FIRST_FREE: usize = 5;

fn font(name: &str) -> String {
    format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>")
}
