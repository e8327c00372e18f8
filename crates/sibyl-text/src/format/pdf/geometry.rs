//! Points, boxes and matrices of a page: x to the right, y downwards from the top left corner, in points.

/// An affine map as PDF writes it: `x' = a·x + c·y + e`, `y' = b·x + d·y + f`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Matrix(pub(super) [f64; 6]);

impl Matrix {
    /// Leaves every point where it is.
    pub(super) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// A shift by `(x, y)`.
    pub(super) const fn shift(x: f64, y: f64) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// This map first, `next` after it.
    pub(super) fn then(self, next: Self) -> Self {
        let ([a, b, c, d, e, f], n) = (self.0, next.0);
        Self([
            a * n[0] + b * n[2],
            a * n[1] + b * n[3],
            c * n[0] + d * n[2],
            c * n[1] + d * n[3],
            e * n[0] + f * n[2] + n[4],
            e * n[1] + f * n[3] + n[5],
        ])
    }

    /// Where the point `(x, y)` goes.
    pub(super) fn apply(self, x: f64, y: f64) -> (f32, f32) {
        let [a, b, c, d, e, f] = self.0;
        ((a * x + c * y + e) as f32, (b * x + d * y + f) as f32)
    }

    /// Whether every coefficient is a number that a page can hold.
    pub(super) fn is_sane(self) -> bool {
        self.0.iter().all(|v| v.is_finite() && v.abs() < 1e7)
    }
}

/// A box: left, top, right, bottom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rect {
    pub(super) left: f32,
    pub(super) top: f32,
    pub(super) right: f32,
    pub(super) bottom: f32,
}

impl Rect {
    /// The smallest box around two points.
    pub(super) fn around(a: (f32, f32), b: (f32, f32)) -> Self {
        Self { left: a.0.min(b.0), top: a.1.min(b.1), right: a.0.max(b.0), bottom: a.1.max(b.1) }
    }
    /// Left, top, right and bottom.
    pub(super) const fn corners(&self) -> [f32; 4] {
        [self.left, self.top, self.right, self.bottom]
    }
    pub(super) fn width(&self) -> f32 {
        self.right - self.left
    }
    pub(super) fn height(&self) -> f32 {
        self.bottom - self.top
    }
    pub(super) fn center(&self) -> (f32, f32) {
        ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }
    /// The smallest box around both.
    pub(super) fn union(&self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
    /// Length of the stretch of x that both cover; negative where they stand apart.
    pub(super) fn overlap_x(&self, other: &Self) -> f32 {
        self.right.min(other.right) - self.left.max(other.left)
    }
    /// Length of the stretch of y that both cover; negative where they stand apart.
    pub(super) fn overlap_y(&self, other: &Self) -> f32 {
        self.bottom.min(other.bottom) - self.top.max(other.top)
    }
    /// Whether the point lies inside, within `slack` points.
    pub(super) fn holds(&self, (x, y): (f32, f32), slack: f32) -> bool {
        x >= self.left - slack && x <= self.right + slack && y >= self.top - slack && y <= self.bottom + slack
    }
    /// Left, top, right, bottom.
    pub(super) fn to_array(self) -> [f32; 4] {
        [self.left, self.top, self.right, self.bottom]
    }
}

/// The smallest box around all of them; `None` where there are none.
pub(super) fn bounds<'a>(rects: impl IntoIterator<Item = &'a Rect>) -> Option<Rect> {
    rects.into_iter().copied().reduce(|a, b| a.union(&b))
}
