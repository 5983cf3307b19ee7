//! Stands in for the elements of arrays when two models are compared.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::model::arithmetic::{Arithmetic, Unary};
use crate::model::kind::Kind;

/// A prime number. Exact elements are computed modulo this number, so that equal expressions give equal elements
/// whatever their form, and different expressions almost never do.
const PRIME: u64 = (1 << 61) - 1;

/// Returns a number that depends on all parts of `key`.
pub(super) fn hash(key: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

/// The property by which elements are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// The operations that compute the element, and their operands.
    Exact,
    /// The elements on which it depends.
    Sources,
}

/// An element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Element {
    /// An element that may be equal to any other.
    Unknown,
    /// An element that does not depend on the inputs of the model. Its value is not known.
    Constant,
    /// In [`Mode::Exact`]: the value, modulo `PRIME`, if the elements of all inputs are random numbers.
    Number(u64),
    /// In [`Mode::Sources`]: a set of elements, given by the maximum of each of four hashes of its members.
    Sources([u32; 4]),
}

impl Element {
    /// Creates the element of an array whose elements are not computed from others.
    pub(super) fn new(mode: Mode, key: u64) -> Self {
        match mode {
            Mode::Exact => Element::Number(key % PRIME),
            Mode::Sources => {
                let lanes = [0_u8, 1, 2, 3].map(|lane| hash(&(key, lane)) as u32);
                Element::Sources(lanes)
            }
        }
    }

    /// Creates the element of a known constant.
    pub(super) fn constant(mode: Mode, number: i64) -> Self {
        match mode {
            Mode::Exact => Element::Number(number.rem_euclid(PRIME as i64) as u64),
            Mode::Sources => Element::Constant,
        }
    }

    /// Returns the number, or `neutral` for an unknown constant.
    fn or(self, neutral: u64) -> u64 {
        match self {
            Element::Number(number) => number,
            _ => neutral,
        }
    }
}

fn product(one: u64, other: u64) -> u64 {
    (u128::from(one) * u128::from(other) % u128::from(PRIME)) as u64
}

fn inverse(number: u64) -> u64 {
    let (mut power, mut square, mut exponent) = (1, number, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = product(power, square);
        }
        square = product(square, square);
        exponent >>= 1;
    }
    power
}

/// Computes an element from one element of each operand. Unknown constants are ignored where possible, because formats
/// differ in where they store weights. `label` names the operation.
pub(super) fn combine(mode: Mode, kind: &Kind, label: &str, operands: &[Element]) -> Element {
    if operands.contains(&Element::Unknown) {
        return Element::Unknown;
    }
    if operands.iter().all(|operand| *operand == Element::Constant) {
        return Element::Constant;
    }
    match (mode, kind, operands) {
        (
            Mode::Sources,
            Kind::Arithmetic(Arithmetic::Subtract | Arithmetic::Divide),
            &[one, other],
        ) => union(one, ordered(one, other)),
        (Mode::Sources, ..) => operands.iter().copied().fold(Element::Constant, union),
        (Mode::Exact, Kind::Arithmetic(operation), [first, others @ ..]) => {
            let combine = |one, other| arithmetic(*operation, one, other);
            others.iter().copied().fold(*first, combine)
        }
        (Mode::Exact, Kind::Unary(Unary::Negate), &[one]) => {
            Element::Number((PRIME - one.or(0)) % PRIME)
        }
        (Mode::Exact, ..) => Element::Number(hash(&(label, operands)) % PRIME),
    }
}

fn arithmetic(operation: Arithmetic, one: Element, other: Element) -> Element {
    if (one, other) == (Element::Constant, Element::Constant) {
        return Element::Constant;
    }
    Element::Number(match operation {
        Arithmetic::Add => (one.or(0) + other.or(0)) % PRIME,
        Arithmetic::Subtract => (one.or(0) + PRIME - other.or(0)) % PRIME,
        Arithmetic::Multiply => product(one.or(1), other.or(1)),
        Arithmetic::Divide => product(one.or(1), inverse(other.or(1))),
        // The order of the numbers is arbitrary, but always the same.
        Arithmetic::Minimum | Arithmetic::Maximum => {
            let numbers = [one, other]
                .into_iter()
                .filter(|one| *one != Element::Constant);
            let numbers = numbers.map(|one| one.or(0));
            let least = numbers.min_by_key(|number| hash(&(format!("{operation:?}"), number)));
            least.unwrap_or(0)
        }
        _ => hash(&(format!("{operation:?}"), one, other)) % PRIME,
    })
}

fn union(one: Element, other: Element) -> Element {
    match (one, other) {
        (Element::Sources(mut one), Element::Sources(other)) => {
            for (one, other) in one.iter_mut().zip(other) {
                *one = (*one).max(other);
            }
            Element::Sources(one)
        }
        (Element::Sources(_), _) => one,
        _ => other,
    }
}

/// Marks the second operand of an operation whose operands cannot be exchanged, if both depend on inputs.
fn ordered(one: Element, other: Element) -> Element {
    match (one, other) {
        (Element::Sources(_), Element::Sources(lanes)) => {
            Element::Sources(lanes.map(|lane| hash(&lane) as u32))
        }
        _ => other,
    }
}
