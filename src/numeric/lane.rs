//! Numbers side by side in one wide register, with the operators of a single number.
//!
//! Each operation is done in every lane on its own, and is one of + − × ÷ √, a comparison or a choice; so a lane holds the
//! bits that a single number would, whichever width the machine has.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Sub};

use pulp::Simd;

/// As many numbers as a register holds.
#[derive(Debug, Clone, Copy)]
pub struct Lane<S: Simd> {
    simd: S,
    numbers: S::f64s,
}

/// A yes or no in each lane.
#[derive(Debug, Clone, Copy)]
pub struct Mask<S: Simd> {
    simd: S,
    bits: S::m64s,
}

/// The vector instructions of the machine at hand; with the feature `portable` none.
pub fn machine() -> pulp::Arch {
    if cfg!(feature = "portable") { pulp::Arch::Scalar } else { pulp::Arch::new() }
}

impl<S: Simd> Lane<S> {
    /// The same number in every lane.
    #[inline(always)]
    pub fn splat(simd: S, number: f64) -> Self {
        Self { simd, numbers: simd.splat_f64s(number) }
    }

    /// The numbers of an array, as many registers as they fill.
    #[inline(always)]
    pub fn load<const N: usize>(simd: S, numbers: &[f64; N], part: usize) -> Self {
        Self { simd, numbers: S::as_simd_f64s(numbers).0[part] }
    }

    /// Puts the numbers where [`load`](Self::load) finds them.
    #[inline(always)]
    pub fn store<const N: usize>(self, numbers: &mut [f64; N], part: usize) {
        S::as_mut_simd_f64s(numbers).0[part] = self.numbers;
    }

    /// The square root.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        Self { numbers: self.simd.sqrt_f64s(self.numbers), ..self }
    }

    /// Where this is less than `other`; nowhere where one is not a number.
    #[inline(always)]
    pub fn below(self, other: Self) -> Mask<S> {
        Mask { simd: self.simd, bits: self.simd.less_than_f64s(self.numbers, other.numbers) }
    }

    /// Where this is no more than `other`; nowhere where one is not a number.
    #[inline(always)]
    pub fn up_to(self, other: Self) -> Mask<S> {
        Mask { simd: self.simd, bits: self.simd.less_than_or_equal_f64s(self.numbers, other.numbers) }
    }

    /// The smallest number of all lanes, of which each is a number.
    #[inline(always)]
    pub fn least(self) -> f64 {
        self.simd.reduce_min_f64s(self.numbers)
    }
}

impl<S: Simd> Mask<S> {
    /// One number where it is so, another where not.
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
