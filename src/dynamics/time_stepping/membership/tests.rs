//! Tests of the parts of an island.

use glam::DVec3;

use super::*;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::solver::problem::ContactImpulse;
use crate::random::Random;

/// An island whose members have the ids 0, 3, 6, …, with these pairs. The values of each member contain its id.
fn island(members: u32, pairs: &[[u32; 2]]) -> SteppedIsland {
    let has_force = |part: usize| !part.is_multiple_of(3);
    let force = |part: usize| ContactImpulse { normal: part as f64, ..ContactImpulse::default() };
    let members: Vec<BodyId> = (0..members).map(|place| BodyId(3 * place)).collect();
    let listed = |(part, &[a, b]): (usize, &[u32; 2])| ListedPair {
        pair: Pair::new(BodyId(a), BodyId(b), [0; 3]),
        part: part as u32,
        ends: [u32::MAX; 2],
        height: 0.0,
        force: if has_force(part) { (0..part).filter(|&part| has_force(part)).count() as u32 } else { NO_CONTACT },
        is_logged: false,
    };
    let mut outside: Vec<BodyId> = pairs.iter().flatten().map(|&id| BodyId(id)).collect();
    outside.retain(|id| members.binary_search(id).is_err());
    outside.sort_unstable();
    outside.dedup();
    let value = |id: &BodyId| f64::from(id.0);
    let mut island = SteppedIsland {
        target_gap: 1e-4,
        length: 0.5,
        list: PairList {
            pairs: pairs.iter().enumerate().map(listed).collect(),
            forces: (0..pairs.len()).filter(|&part| has_force(part)).map(force).collect(),
            outside,
            reaches: members.iter().map(value).collect(),
            moved: members.iter().map(|id| DVec3::Z * value(id)).collect(),
        },
        members,
        ..SteppedIsland::default()
    };
    island.number_ends();
    island
}

/// Random pairs of `members` members among each other, and with bodies outside.
fn random_pairs(random: &mut Random, members: u32, count: usize) -> Vec<[u32; 2]> {
    let pair = |_| {
        let one = 3 * random.below(members as usize) as u32;
        let other = random.below(members as usize) as u32;
        [one, if random.below(3) == 0 { 3 * other + 1 } else { 3 * other }]
    };
    (0..count).map(pair).filter(|[one, other]| one != other).collect()
}

/// Computes the roots in another way: both members of each pair get the smaller root, until nothing changes.
fn flooded(island: &SteppedIsland) -> Vec<usize> {
    let mut roots: Vec<usize> = (0..island.members.len()).collect();
    loop {
        let before = roots.clone();
        for listed in &island.list.pairs {
            if let (Some(a), Some(b)) = (island.place(listed.pair.a), island.place(listed.pair.b)) {
                let least = roots[a].min(roots[b]);
                (roots[a], roots[b]) = (least, least);
            }
        }
        if roots == before {
            return roots;
        }
    }
}

#[test]
fn near_members_have_one_root() {
    let chain: Vec<[u32; 2]> = (0..40).map(|n| [3 * ((n * 7) % 40), 3 * ((n * 7) % 40 + 1)]).collect();
    assert_eq!(island(41, &chain).roots(), [0; 41]);
    // A body outside connects nothing.
    assert_eq!(island(4, &[[0, 1], [1, 3], [9, 6]]).roots(), [0, 1, 2, 2]);
    let mut random = Random::new(8);
    for round in 0..300 {
        let members = 1 + random.below(40) as u32;
        let count = random.below(60);
        let island = island(members, &random_pairs(&mut random, members, count));
        assert_eq!(island.roots(), flooded(&island), "round {round}");
    }
}

#[test]
fn parts_have_all_members_and_pairs_once() {
    let mut random = Random::new(9);
    let mut several = 0;
    for round in 0..300 {
        let members = 1 + random.below(40) as u32;
        let count = random.below(40);
        let whole = island(members, &random_pairs(&mut random, members, count));
        let roots = whole.roots();
        let (mut ids, mut keys): (Vec<BodyId>, Vec<(Pair, u32)>) = (Vec::new(), Vec::new());
        for root in 0..roots.len() {
            let places: Vec<usize> = (0..roots.len()).filter(|&place| roots[place] == root).collect();
            if places.is_empty() {
                continue;
            }
            let part = whole.part(&places);
            several += usize::from(root > 0);
            // Its values, in the same order.
            assert_eq!(part.members, places.iter().map(|&place| whole.members[place]).collect::<Vec<_>>());
            let same = |of: &SteppedIsland| (of.parted, of.length.to_bits(), of.target_gap.to_bits(), of.slow_since);
            assert_eq!(same(&part), same(&whole));
            assert_eq!([part.list.reaches.len(), part.list.moved.len()], [places.len(); 2]);
            for (place, id) in part.members.iter().enumerate() {
                let value = f64::from(id.0);
                assert_eq!(
                    (part.list.reaches[place], part.list.moved[place]),
                    (value, DVec3::Z * value),
                    "round {round}"
                );
            }
            // The bodies outside are those of its pairs, by id, and each end is the place of its body.
            let mut named: Vec<BodyId> = part.list.pairs.iter().flat_map(|of| [of.pair.a, of.pair.b]).collect();
            named.retain(|&id| part.place(id).is_none());
            named.sort_unstable();
            named.dedup();
            assert_eq!(part.list.outside, named, "round {round}");
            for listed in &part.list.pairs {
                let bodies = listed.ends.map(|end| part.body(end as usize));
                assert_eq!(bodies, [listed.pair.a, listed.pair.b], "round {round}");
                let force = if !listed.part.is_multiple_of(3) { f64::from(listed.part) } else { 0.0 };
                assert_eq!(part.list.force(listed).normal, force, "round {round}");
            }
            // The pairs keep their order.
            assert!(part.list.pairs.windows(2).all(|two| two[0].part < two[1].part));
            ids.extend(&part.members);
            keys.extend(part.list.pairs.iter().map(ListedPair::key));
        }
        ids.sort_unstable();
        keys.sort_by_key(|key| key.1);
        assert_eq!(ids, whole.members, "round {round}");
        assert_eq!(keys, whole.list.pairs.iter().map(ListedPair::key).collect::<Vec<_>>(), "round {round}");
    }
    assert!(several > 300, "{several}");
}
