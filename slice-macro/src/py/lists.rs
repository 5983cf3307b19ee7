//! Reports lists whose meaning in NumPy differs from their meaning in `py!`. In `py!`, each index, range and list
//! selects from its own axis.
//!
//! A slice with a single list gives the same result in NumPy, unless another item separates an index from the list. In
//! that case, NumPy puts the list's axis first. This makes a difference only if an axis before the list is kept. If a
//! slice has several lists, NumPy pairs their elements.

use proc_macro2::TokenTree;

use crate::list::is_list;
use crate::messages;
use crate::mistake::Mistakes;
use crate::split::RawItem;
use crate::text::text;
use crate::tokens::{dots, is_word, visible};

fn is_index(item: &RawItem) -> bool {
    let tokens = visible(&item.tokens);
    let is_word = matches!(&*tokens, [word] if is_word(word, "newaxis") || is_word(word, "None"));
    !is_list(item) && item.colons.is_empty() && !is_word && dots(&tokens) == 0
}

/// Reports the second of several lists, or an index that another item separates from the only list.
pub fn numpy_differs(items: &[RawItem]) -> Mistakes {
    let mut mistakes = Mistakes::default();
    if items.iter().any(is_list) {
        check(items, &mut mistakes);
    }
    mistakes
}

fn check(items: &[RawItem], mistakes: &mut Mistakes) {
    let items_text = || {
        let items: Vec<String> = items.iter().map(|item| text(&item.tokens)).collect();
        items.join(", ")
    };
    let lists: Vec<usize> = (0..items.len()).filter(|&at| is_list(&items[at])).collect();
    if let [first, second, ..] = lists[..] {
        let tokens = |at: usize| -> &[TokenTree] { &items[at].tokens };
        let text = messages::paired_lists(tokens(first), tokens(second), &items_text());
        return mistakes.report(tokens(second), text);
    }
    let Some(&list) = lists.first() else { return };
    // If no axis before the list is kept, the list's axis is already the first.
    if items[..list].iter().all(is_index) {
        return;
    }
    let is_index_at = |at: &usize| is_index(&items[*at]);
    let before = (0..list).rev().take_while(is_index_at).count();
    let after = (list + 1..items.len()).take_while(is_index_at).count();
    let adjacent = list - before..=list + after;
    let separated = (0..items.len()).find(|at| is_index_at(at) && !adjacent.contains(at));
    if let Some(at) = separated {
        mistakes.report(&items[at].tokens, messages::separated_index(&items_text()));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::numpy_differs;
    use crate::split::split_items;

    /// The meanings in NumPy of orders of items, which `tests/oracle/numpy_lists_vectors.py` writes. An order has one
    /// letter for each item. Each line contains the beginning of an order, or `-` for the empty beginning, and the meaning
    /// of each order with one or two further items: `s` if the meaning is the same as in `py!`, `f` if it differs only in
    /// that the list's axis comes first, `p` if NumPy pairs the elements of the lists, and `.` if it is not recorded.
    const RECORDED_MEANINGS: &str = include_str!("lists.txt");

    const KINDS: &str = "lmirne";

    /// Returns the meaning of each recorded order.
    fn recorded_meanings() -> BTreeMap<String, char> {
        let mut meanings = BTreeMap::new();
        for line in RECORDED_MEANINGS
            .lines()
            .filter(|line| !line.starts_with('#'))
        {
            let (beginning, letters) = line
                .split_once(' ')
                .expect("the line should have two parts");
            let beginning = beginning.trim_start_matches('-');
            let one: Vec<String> = KINDS.chars().map(String::from).collect();
            let two = one
                .iter()
                .flat_map(|kind| one.iter().map(move |last| format!("{kind}{last}")));
            let ends = if letters.len() == one.len() {
                one.clone()
            } else {
                two.collect()
            };
            assert_eq!(letters.len(), ends.len(), "{line}");
            let orders = ends.iter().map(|end| format!("{beginning}{end}"));
            meanings.extend(
                orders
                    .zip(letters.chars())
                    .filter(|(_, letter)| *letter != '.'),
            );
        }
        meanings
    }

    /// Returns the meaning in NumPy that the message of `py!` states for an order of items, or `s` if there is no
    /// message.
    fn reported_meaning(order: &str) -> char {
        let items = order.chars().map(|kind| match kind {
            'l' => "[0, 2]",
            'm' => "&mask",
            'i' => "-1",
            'r' => "1:",
            'n' => "newaxis",
            'e' => "...",
            other => panic!("{other} does not stand for an item"),
        });
        let text = items.collect::<Vec<_>>().join(", ");
        let tokens: Vec<_> = text
            .parse::<proc_macro2::TokenStream>()
            .unwrap()
            .into_iter()
            .collect();
        let mistakes = numpy_differs(&split_items(&tokens));
        let mut mistakes = mistakes.iter();
        match (mistakes.next(), mistakes.next()) {
            (None, _) => 's',
            (Some(only), None) if only.text.starts_with("`py!` does not pair the elements") => 'p',
            (Some(only), None)
                if only
                    .text
                    .starts_with("this index is separated from the list") =>
            {
                'f'
            }
            (Some(other), _) => panic!("{text} has an unexpected message: {}", other.text),
        }
    }

    #[test]
    fn messages_state_the_recorded_meaning_of_each_order_in_numpy() {
        let mut counts = BTreeMap::new();
        for (order, meaning) in recorded_meanings() {
            assert_eq!(reported_meaning(&order), meaning, "{order}");
            *counts.entry(meaning).or_insert(0) += 1;
        }
        let expected = [('f', 554), ('p', 2324), ('s', 1528)];
        assert_eq!(counts, BTreeMap::from(expected));
    }

    /// Orders with two ellipses are not recorded, because a slice cannot have two ellipses.
    #[test]
    fn every_order_of_up_to_four_items_is_recorded() {
        let recorded = recorded_meanings();
        let mut orders = vec![String::new()];
        for _ in 0..4 {
            let longer = orders
                .iter()
                .flat_map(|order| KINDS.chars().map(move |kind| format!("{order}{kind}")));
            orders = longer
                .filter(|order| order.matches('e').count() < 2)
                .collect();
            for order in &orders {
                assert!(recorded.contains_key(order), "{order} is not recorded");
            }
        }
        assert_eq!(orders.len(), 5_usize.pow(4) + 4 * 5_usize.pow(3));
    }
}
