//! Several numbers in one wide register (SIMD), with the operators of a single number.
//!
//! Each operation acts on every lane separately, and is one of + − × ÷ √, a comparison or a selection. So a lane has
//! the same bits as a computation with a single number, for any register width.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

use pulp::{Simd, bytemuck};

/// How many numbers are processed together: as many as the widest register holds.
pub const LANES: usize = 8;

/// The order in which rows are stored so that a register of eight numbers returns them in sequence when it is
/// transposed.
const ORDER_OF_EIGHT: [usize; LANES] = [0, 2, 1, 3, 4, 6, 5, 7];

/// The bits of 2⁵². In a float of this size the lowest bit is worth 1.
const ONES: u64 = 0x4330_0000_0000_0000;

/// 3 · 2⁵¹. A sum with it is rounded to a whole number.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// The lower half of 64 bits.
const LOW: u64 = 0xFFFF_FFFF;

/// As many numbers as a register holds.
#[derive(Debug, Clone, Copy)]
pub struct Lane<S: Simd> {
    simd: S,
    numbers: S::f64s,
}

/// True or false in each lane.
#[derive(Debug, Clone, Copy)]
pub struct Mask<S: Simd> {
    simd: S,
    bits: S::m64s,
}

/// Eight rows of four numbers, in the order needed for transposing registers.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rows([[f64; LANES]; 4]);

impl Rows {
    /// Stores as many rows as a register holds, given their columns: the inverse of [`Lane::columns`].
    #[inline(always)]
    pub fn set<S: Simd>(&mut self, columns: [Lane<S>; 4], part: usize) {
        let registers = columns[0].simd.interleave_shfl_f64s(columns.map(|column| column.numbers));
        for (rank, register) in registers.into_iter().enumerate() {
            let first = (4 * part + rank) * S::F64_LANES;
            S::as_mut_simd_f64s(&mut self.0[first / LANES]).0[first % LANES / S::F64_LANES] = register;
        }
    }

    /// One row, as stored by [`set`](Self::set) with the same `S`.
    #[inline(always)]
    pub fn row<S: Simd>(&self, row: usize) -> &[f64; 4] {
        let place = if S::F64_LANES == LANES { ORDER_OF_EIGHT[row] } else { row };
        &self.0[place / 2].as_chunks().0[place % 2]
    }
}

/// The vector instructions of this machine; with the feature `portable` none.
pub fn machine() -> pulp::Arch {
    if cfg!(feature = "portable") { pulp::Arch::Scalar } else { pulp::Arch::new() }
}

/// 2⁵² plus the whole number in the lower half of `bits`.
pub fn ones(bits: u64) -> f64 {
    f64::from_bits(bits & LOW | ONES)
}

/// The nearest whole number; half-way between two, the even one. For magnitudes below 2⁵¹.
#[inline(always)]
pub fn rounded(number: f64) -> f64 {
    (number + WHOLE) - WHOLE
}

impl<S: Simd> Lane<S> {
    /// The same number in every lane.
    #[inline(always)]
    pub fn splat(simd: S, number: f64) -> Self {
        Self { simd, numbers: simd.splat_f64s(number) }
    }

    /// Numbers of an array, as many as a register holds; `part` counts registers.
    #[inline(always)]
    pub fn load<const N: usize>(simd: S, numbers: &[f64; N], part: usize) -> Self {
        Self { simd, numbers: S::as_simd_f64s(numbers).0[part] }
    }

    /// Stores the numbers where [`load`](Self::load) reads them.
    #[inline(always)]
    pub fn store<const N: usize>(self, numbers: &mut [f64; N], part: usize) {
        S::as_mut_simd_f64s(numbers).0[part] = self.numbers;
    }

    /// The columns of eight rows, as many rows as a register holds. `row` gives each of them.
    ///
    /// Whole rows are read and transposed in registers, which takes half the time of reading single numbers. `row` is
    /// called for one row at a time, because an array of eight addresses would be stored in memory.
    #[inline(always)]
    pub fn columns<'a>(simd: S, row: impl Fn(usize) -> &'a [f64; 4], part: usize) -> [Self; 4] {
        let mut registers = [simd.splat_f64s(0.0); 4];
        for (rank, register) in registers.iter_mut().enumerate() {
            let first = (4 * part + rank) * S::F64_LANES;
            let mut two = [0.0; LANES];
            for half in 0..2 {
                let place = 2 * (first / LANES) + half;
                let place = if S::F64_LANES == LANES { ORDER_OF_EIGHT[place] } else { place };
                two[4 * half..][..4].copy_from_slice(row(place));
            }
            *register = S::as_simd_f64s(&two).0[first % LANES / S::F64_LANES];
        }
        let [a, b, c, d] = simd.deinterleave_shfl_f64s(registers);
        [Self { simd, numbers: a }, Self { simd, numbers: b }, Self { simd, numbers: c }, Self { simd, numbers: d }]
    }

    /// The absolute value.
    #[inline(always)]
    pub fn abs(self) -> Self {
        Self { numbers: self.simd.abs_f64s(self.numbers), ..self }
    }

    /// The square root.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        Self { numbers: self.simd.sqrt_f64s(self.numbers), ..self }
    }

    /// [`rounded`] in every lane.
    #[inline(always)]
    pub fn rounded(self) -> Self {
        let whole = Self::splat(self.simd, WHOLE);
        (self + whole) - whole
    }

    /// This, or 0 where it is negative. It must not be NaN or −0.
    #[inline(always)]
    pub fn at_least_zero(self) -> Self {
        Self { numbers: self.simd.max_f64s(self.numbers, self.simd.splat_f64s(0.0)), ..self }
    }

    /// The smaller of this and `other`; neither may be NaN.
    #[inline(always)]
    pub fn lesser(self, other: Self) -> Self {
        Self { numbers: self.simd.min_f64s(self.numbers, other.numbers), ..self }
    }

    /// The larger of this and `other`; `other` where one is NaN.
    #[inline(always)]
    pub fn greater(self, other: Self) -> Self {
        other.below(self).choose(self, other)
    }

    /// The smallest of all lanes; none may be NaN.
    #[inline(always)]
    pub fn least(self) -> f64 {
        self.simd.reduce_min_f64s(self.numbers)
    }

    /// The vector instructions.
    #[inline(always)]
    pub fn simd(self) -> S {
        self.simd
    }

    /// [`ones`] of the bits, in every lane.
    #[inline(always)]
    pub fn ones(self) -> Self {
        let simd = self.simd;
        let low = simd.and_u64s(simd.transmute_u64s_f64s(self.numbers), simd.splat_u64s(LOW));
        Self { numbers: simd.transmute_f64s_u64s(simd.or_u64s(low, simd.splat_u64s(ONES))), ..self }
    }

    /// Where the upper half of the bits equals that of `bits`.
    #[inline(always)]
    pub fn has_upper_half_of(self, bits: u64) -> Mask<S> {
        let simd = self.simd;
        let high = simd.and_u64s(simd.transmute_u64s_f64s(self.numbers), simd.splat_u64s(!LOW));
        Mask { simd, bits: simd.equal_u64s(high, simd.splat_u64s(bits & !LOW)) }
    }

    /// Where this is less than `other`; false where one is NaN.
    #[inline(always)]
    pub fn below(self, other: Self) -> Mask<S> {
        Mask { simd: self.simd, bits: self.simd.less_than_f64s(self.numbers, other.numbers) }
    }

    /// Where this is at most `other`; false where one is NaN.
    #[inline(always)]
    pub fn up_to(self, other: Self) -> Mask<S> {
        Mask { simd: self.simd, bits: self.simd.less_than_or_equal_f64s(self.numbers, other.numbers) }
    }
}

impl<S: Simd> Mask<S> {
    /// False in every lane.
    #[inline(always)]
    pub fn none(simd: S) -> Self {
        let zero = simd.splat_f64s(0.0);
        Self { simd, bits: simd.less_than_f64s(zero, zero) }
    }

    /// The bits of a mask that is true in every lane.
    pub const ALL: u32 = (1 << S::F64_LANES) - 1;

    /// A bit for each lane, the first one lowest.
    #[inline(always)]
    pub fn bits(self) -> u32 {
        let bytes = bytemuck::bytes_of(&self.bits);
        if bytes.len() == 1 {
            return u32::from(bytes[0]);
        }
        let (words, _) = bytes.as_chunks();
        // All bits of a lane are equal, so the bit at the position of the lane is used, without a shift.
        (0..S::F64_LANES).fold(0, |bits, lane| bits | u64::from_ne_bytes(words[lane]) & 1 << lane) as u32
    }

    /// `yes` where the mask is true, `no` elsewhere.
    #[inline(always)]
    pub fn choose(self, yes: Lane<S>, no: Lane<S>) -> Lane<S> {
        Lane { simd: self.simd, numbers: self.simd.select_f64s(self.bits, yes.numbers, no.numbers) }
    }
}

impl<S: Simd> Add for Lane<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { numbers: self.simd.add_f64s(self.numbers, other.numbers), ..self }
    }
}

impl<S: Simd> Sub for Lane<S> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { numbers: self.simd.sub_f64s(self.numbers, other.numbers), ..self }
    }
}

impl<S: Simd> Mul for Lane<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self { numbers: self.simd.mul_f64s(self.numbers, other.numbers), ..self }
    }
}

impl<S: Simd> Div for Lane<S> {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self { numbers: self.simd.div_f64s(self.numbers, other.numbers), ..self }
    }
}

impl<S: Simd> Not for Mask<S> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self { bits: self.simd.not_m64s(self.bits), ..self }
    }
}

impl<S: Simd> BitAnd for Mask<S> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self { bits: self.simd.and_m64s(self.bits, other.bits), ..self }
    }
}

impl<S: Simd> BitOr for Mask<S> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self { bits: self.simd.or_m64s(self.bits, other.bits), ..self }
    }
}

/// All vector instruction sets that this machine has, from one lane to the most.
#[cfg(test)]
pub(crate) fn machines() -> Vec<pulp::Arch> {
    let mut machines = vec![pulp::Arch::Scalar];
    #[cfg(target_arch = "x86_64")]
    machines.extend(pulp::x86::V3::try_new().map(pulp::Arch::V3));
    machines.push(pulp::Arch::new());
    machines
}

#[cfg(test)]
mod tests {
    use pulp::WithSimd;

    use super::*;

    /// Rows whose numbers encode their place. The last one contains the row also as an integer in the lower half of its
    /// bits.
    struct Turned;

    impl WithSimd for Turned {
        type Output = ();

        fn with_simd<S: Simd>(self, simd: S) {
            let bits = |row: usize| (row as u64 % 3) << 32 | row as u64;
            let rows: [[f64; 4]; LANES] = std::array::from_fn(|row| {
                let at = 10.0 * row as f64;
                [at, at + 1.0, at + 2.0, f64::from_bits(bits(row))]
            });
            let mut again = Rows::default();
            for part in 0..LANES / S::F64_LANES {
                let columns = Lane::columns(simd, |row| &rows[row], part);
                again.set(columns, part);
                let [mut found, mut whole] = [[[0.0; LANES]; 4], [[0.0; LANES]; 4]];
                for column in 0..4 {
                    columns[column].store(&mut found[column], part);
                    columns[column].ones().store(&mut whole[column], part);
                }
                let same = columns[3].has_upper_half_of(bits(1)).bits();
                for lane in 0..S::F64_LANES {
                    let row = part * S::F64_LANES + lane;
                    let [a, b, c, d] = rows[row];
                    assert_eq!(
                        found.map(|column| column[row].to_bits()),
                        [a, b, c, d].map(f64::to_bits),
                        "{simd:?} {row}"
                    );
                    assert_eq!(whole[3][row] - ones(7), row as f64 - 7.0, "{simd:?} {row}");
                    assert_eq!(same >> lane & 1 == 1, row % 3 == 1, "{simd:?} {row}");
                }
                assert_eq!(same & !Mask::<S>::ALL, 0);
            }
            for (place, row) in rows.iter().enumerate() {
                assert_eq!(again.row::<S>(place).map(f64::to_bits), row.map(f64::to_bits), "{simd:?} {place}");
            }
        }
    }

    /// Functions of one number, lane by lane.
    struct Functions([f64; LANES]);

    impl WithSimd for Functions {
        type Output = [[f64; LANES]; 5];

        fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
            let mut found = [[0.0; LANES]; 5];
            for part in 0..LANES / S::F64_LANES {
                let lane = Lane::load(simd, &self.0, part);
                lane.abs().store(&mut found[0], part);
                lane.at_least_zero().store(&mut found[1], part);
                lane.rounded().store(&mut found[2], part);
                lane.abs().sqrt().store(&mut found[3], part);
                (Lane::splat(simd, 5.0) / lane).store(&mut found[4], part);
            }
            found
        }
    }

    #[test]
    fn columns_come_in_the_order_of_rows() {
        machines().into_iter().for_each(|machine| machine.dispatch(Turned));
    }

    #[test]
    fn functions_are_those_of_single_numbers() {
        let numbers = [1.0, -1.0, 0.0, 1e-320, -1e-320, 0.7, 3.0001e9, -2.5];
        let expected = [
            numbers.map(f64::abs),
            numbers.map(|number| if number > 0.0 { number } else { 0.0 }),
            numbers.map(rounded),
            numbers.map(|number| number.abs().sqrt()),
            numbers.map(|number| 5.0 / number),
        ];
        for machine in machines() {
            let found = machine.dispatch(Functions(numbers));
            assert_eq!(
                found.map(|row| row.map(f64::to_bits)),
                expected.map(|row| row.map(f64::to_bits)),
                "{machine:?}"
            );
        }
    }
}
