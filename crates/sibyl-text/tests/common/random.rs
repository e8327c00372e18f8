//! Random numbers to make documents of.

/// Numbers that look random and come from a seed (D. Lehmer, *Mathematical methods in large-scale computing units*, 1951).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(2_654_435_761) % 2_147_483_646 + 1);
        (0..4).for_each(|_| _ = random.below(2));
        random
    }
    /// A number from 0 to before `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0 * 48_271 % 2_147_483_647;
        (self.0 >> 7) as usize % end
    }
    /// Whether one of `of` cases is met.
    pub fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }
    /// One of `from`.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
    /// A number from `low` to `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.below(101) as f32 / 100.0
    }
}
