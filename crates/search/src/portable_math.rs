//! Functions of mathematics that give the same bits on every system.
//!
//! What the standard library calls is decided by the system and by its processor, and the last bit differs. One bit is
//! enough for another move, and then for another game. These functions are those of the crate `libm`; clippy refuses
//! the others (`clippy.toml`). Sums, products, quotients and square roots are exactly defined, and need nothing.

/// Functions whose last bit would differ between systems.
pub trait PortableMath: Sized {
    /// e to this power.
    fn portable_exp(self) -> Self;
    /// The natural logarithm.
    fn portable_ln(self) -> Self;
    /// The natural logarithm of 1 plus this.
    fn portable_ln_1p(self) -> Self;
    /// The logarithm to the base 10.
    fn portable_log10(self) -> Self;
    /// This to a power.
    fn portable_powf(self, power: Self) -> Self;
    /// The hyperbolic tangent.
    fn portable_tanh(self) -> Self;
    /// The angle in radians, between −π/2 and π/2, whose tangent is this.
    fn portable_atan(self) -> Self;
}

/// Implements [`PortableMath`] for a type, with the functions of `libm` in the order of the trait.
macro_rules! portable {
    ($float:ty, $exp:ident, $ln:ident, $ln_1p:ident, $log10:ident, $powf:ident, $tanh:ident, $atan:ident) => {
        impl PortableMath for $float {
            #[inline]
            fn portable_exp(self) -> $float {
                libm::$exp(self)
            }

            #[inline]
            fn portable_ln(self) -> $float {
                libm::$ln(self)
            }

            #[inline]
            fn portable_ln_1p(self) -> $float {
                libm::$ln_1p(self)
            }

            #[inline]
            fn portable_log10(self) -> $float {
                libm::$log10(self)
            }

            #[inline]
            fn portable_powf(self, power: $float) -> $float {
                libm::$powf(self, power)
            }

            #[inline]
            fn portable_tanh(self) -> $float {
                libm::$tanh(self)
            }

            #[inline]
            fn portable_atan(self) -> $float {
                libm::$atan(self)
            }
        }
    };
}

portable!(f32, expf, logf, log1pf, log10f, powf, tanhf, atanf);
portable!(f64, exp, log, log1p, log10, pow, tanh, atan);

#[cfg(test)]
mod tests {
    use super::*;

    /// The functions in the order of the trait, at 1 and at 0.3, and what the standard library says.
    #[test]
    #[allow(clippy::disallowed_methods)]
    fn the_bits_are_known_and_close_to_those_of_the_system() {
        let x = 0.3f32;
        let (singles, system) = (
            [
                1f32.portable_exp(),
                x.portable_ln(),
                x.portable_ln_1p(),
                x.portable_log10(),
                x.portable_powf(1.7),
                x.portable_tanh(),
                x.portable_atan(),
            ],
            [1f32.exp(), x.ln(), x.ln_1p(), x.log10(), x.powf(1.7), x.tanh(), x.atan()],
        );
        assert!(
            singles.iter().zip(system).all(|(single, other)| (single - other).abs() < 1e-6),
            "{singles:?}"
        );
        let x = 0.3f64;
        let (doubles, system) = (
            [
                1f64.portable_exp(),
                x.portable_ln(),
                x.portable_ln_1p(),
                x.portable_log10(),
                x.portable_powf(1.7),
                x.portable_tanh(),
                x.portable_atan(),
            ],
            [1f64.exp(), x.ln(), x.ln_1p(), x.log10(), x.powf(1.7), x.tanh(), x.atan()],
        );
        assert!(
            doubles.iter().zip(system).all(|(double, other)| (double - other).abs() < 1e-14),
            "{doubles:?}"
        );
        // Every system must give these.
        let bits = singles.iter().fold(0u32, |bits, single| bits.rotate_left(5) ^ single.to_bits());
        assert_eq!(bits, 0xd835_d92e, "{bits:#x}");
        let bits = doubles.iter().fold(0u64, |bits, double| bits.rotate_left(9) ^ double.to_bits());
        assert_eq!(bits, 0xb35aa39e83dd415, "{bits:#x}");
    }
}
