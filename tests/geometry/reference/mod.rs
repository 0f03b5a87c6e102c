//! Comparison with reference cases, which were computed with 60 digits.

mod cases;
mod ray_cases;
mod triangle_cases;
