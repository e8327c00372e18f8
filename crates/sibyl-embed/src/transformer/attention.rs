//! Scaled dot-product attention of several heads (Vaswani et al., Attention Is All You Need, NeurIPS 2017) over one
//! text: `softmax(query · keyᵀ / √size) · value` for each head.

use rten_simd::ops::{BitOps as _, NumOps};
use rten_simd::{Isa, SimdOp};
use rten_vecmath::Softmax;

/// The size of a head is a multiple of this: two vectors of any processor.
pub(super) const ALIGNED: usize = 32;
/// Tokens whose products are made at once.
const ROWS: usize = 4;

/// The heads of a layer.
pub(super) struct Attention {
    heads: usize,
    /// Numbers of a head.
    size: usize,
}

/// Room for the numbers of one head.
#[derive(Default)]
pub(super) struct Room {
    /// One row for each number of a head, one column for each token; a multiple of [`ALIGNED`] columns.
    keys: Vec<f32>,
    /// One row for each token.
    values: Vec<f32>,
    /// How much each of a few tokens takes from the others.
    scores: Vec<f32>,
}

impl Attention {
    pub fn new(heads: usize, hidden: usize) -> Self {
        Self { heads, size: hidden / heads }
    }

    /// Writes what each token of a text takes from the others to `output`. `projected` holds its query, key and
    /// value, token after token.
    pub fn forward(&self, projected: &[f32], room: &mut Room, output: &mut [f32]) {
        let tokens = output.len() / (self.heads * self.size);
        let columns = tokens.next_multiple_of(ALIGNED);
        room.keys.clear();
        room.keys.resize(self.size * columns, 0.0);
        room.values.resize(tokens * self.size, 0.0);
        room.scores.resize(ROWS * columns, 0.0);
        for head in 0..self.heads {
            Head { attention: self, head, projected, room, output }.dispatch();
        }
    }
}

/// One head over all tokens of a text.
struct Head<'a> {
    attention: &'a Attention,
    head: usize,
    projected: &'a [f32],
    room: &'a mut Room,
    output: &'a mut [f32],
}

impl SimdOp for Head<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let float = isa.f32();
        let &Attention { heads, size } = self.attention;
        let hidden = heads * size;
        let place = self.head * size;
        let Room { keys, values, scores } = self.room;
        let columns = keys.len() / size;
        let rows = self.projected.chunks_exact(3 * hidden).zip(values.chunks_exact_mut(size));
        for (token, (projected, value)) in rows.enumerate() {
            value.copy_from_slice(&projected[2 * hidden + place..][..size]);
            let key = &projected[hidden + place..][..size];
            keys.chunks_exact_mut(columns).zip(key).for_each(|(row, number)| row[token] = *number);
        }
        let tokens = self.output.len() / hidden;
        let scale = float.splat((size as f32).sqrt().recip());
        for first in (0..tokens).step_by(ROWS) {
            // The last token is computed again where fewer are left.
            let [a, b, c, d] = [0, 1, 2, 3].map(|row| (first + row).min(tokens - 1));
            let query = |token: usize| &self.projected[3 * hidden * token + place..][..size];
            let queries = [query(a), query(b), query(c), query(d)];
            for column in (0..columns).step_by(2 * float.len()) {
                let tile = product(float, queries, keys, columns, column);
                for (row, [left, right]) in tile.into_iter().enumerate() {
                    let tile = [float.mul(left, scale), float.mul(right, scale)];
                    store(float, tile, &mut scores[row * columns + column..]);
                }
            }
            for row in scores.chunks_exact_mut(columns) {
                Softmax::new_mut(&mut row[..tokens]).eval(isa);
            }
            let row = |row: usize| &scores[row * columns..][..tokens];
            let shares = [row(0), row(1), row(2), row(3)];
            for column in (0..size).step_by(2 * float.len()) {
                let tile = product(float, shares, values, size, column);
                for (token, tile) in [a, b, c, d].into_iter().zip(tile) {
                    store(float, tile, &mut self.output[token * hidden + place + column..]);
                }
            }
        }
    }
}

/// Two vectors of `a · b` for each row of `a`, from `column` on; `b` has `width` columns.
#[inline(always)]
fn product<O: NumOps<f32>>(
    float: O,
    a: [&[f32]; ROWS],
    b: &[f32],
    width: usize,
    column: usize,
) -> [[O::Simd; 2]; ROWS] {
    let mut sums = [[float.zero(); 2]; ROWS];
    let numbers = a[0].iter().zip(a[1]).zip(a[2].iter().zip(a[3]));
    for (((n0, n1), (n2, n3)), b) in numbers.zip(b.chunks_exact(width)) {
        let [left, right] = float.load_many::<2>(&b[column..]);
        for (sums, number) in sums.iter_mut().zip([n0, n1, n2, n3]) {
            let number = float.splat(*number);
            sums[0] = float.mul_add(left, number, sums[0]);
            sums[1] = float.mul_add(right, number, sums[1]);
        }
    }
    sums
}

/// Writes two vectors to the start of `to`.
#[inline(always)]
fn store<O: NumOps<f32>>(float: O, tile: [O::Simd; 2], to: &mut [f32]) {
    for (vector, to) in tile.into_iter().zip(to.chunks_exact_mut(float.len())) {
        float.store(vector, to);
    }
}
