//! Least active S-boxes: `trails 2-0,1-1 5 100 d e`.
use roundworks_search::trail::{Branch, Count, Feistel, Kind, Trails};
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let branches: Vec<Branch> = args[0].split(',').map(|c| Branch::parse(c).unwrap()).collect();
    let pairs: Vec<_> = branches.chunks(2).map(|p| (p[0].clone(), p[1].clone())).collect();
    let shuffle = if let Some(s) = args.get(5) { s.split(',').map(|x| x.parse().unwrap()).collect() }
        else if pairs.len() == 1 { vec![1, 0] } else { vec![3, 0, 1, 2] };
    let kind = if args[3] == "d" { Kind::Differential } else { Kind::Linear };
    let count = if args[4] == "e" { Count::Executed } else { Count::Distinct };
    let mut trails = Trails::new(Feistel { pairs, shuffle }, kind, count);
    let rounds: usize = args[1].parse().unwrap();
    for r in 1..=rounds {
        let t = std::time::Instant::now();
        let m = trails.minimum(r, args[2].parse().unwrap());
        println!("{} {r} {m:?} {:.2?}", args[0], t.elapsed());
        if m.is_none() { break }
    }
}
