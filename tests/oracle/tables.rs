//! Invalid tables: each error message gives the place and what is expected there.

use std::fs;

use carom::oracle::{Exact, OracleError, Trajectory};
use carom::record::foreign::{read_foreign, read_foreign_events};

use super::{scenario, stepped};

const HEAD: &str = "step,time,body,x,y,z,vx,vy,vz\n";

/// The reason why a table of `flight_parabola` (2 s, one ball) is refused. It is empty if the table is judged.
fn refusal(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("theirs.csv");
    fs::write(&file, text).unwrap();
    let exact = Exact::new(&scenario("flight_parabola")).unwrap();
    let read = || Ok::<_, OracleError>(Trajectory::new(&read_foreign(&file)?, &exact)?);
    let message = read().map_or_else(|error| error.to_string(), |_| String::new());
    message.rsplit_once("theirs.csv`").map_or(message.clone(), |(_, rest)| rest.to_owned())
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let good = "1,1,ball,3,0,8,3,0,2\n2,2,ball,6,0,5,3,0,-7\n";
    let rows = [
        (format!("{HEAD}{good}"), ""),
        (format!("{HEAD}0,0,ball,0,0,1,3,0,12\n{good}"), ""),
        (
            String::new(),
            ": the file is empty; wanted is a line with the columns time,body,x,y,z, and if you have them step; vx,vy,vz; wx,wy,wz",
        ),
        (
            "step,time,body,x,y,z,vx,vy,vz,wy\n".to_owned(),
            " has no column `wx`, `wz`; its columns are `step,time,body,x,y,z,vx,vy,vz,wy`",
        ),
        (
            "step,time,body,x,y,z,vx,vy,vz,wx,wy,wz\n1,1,ball,3,0,8,3,0,2,0,nan,0\n".to_owned(),
            ", line 2, column `wy`: NaN is not a finite number of at most 1e70 in size",
        ),
        (format!("{HEAD}1.0,1,ball,3,0,8,3,0,2\n2.0,2,ball,6,0,5,3,0,-7\n"), ""),
        ("time,body,x,y,z,z\n1,ball,3,0,8,8\n".to_owned(), ": the column `z` is there twice; keep one of them"),
        (
            "time,body,x,y,z\n1,ball,3,0,1e300\n".to_owned(),
            ", line 2, column `z`: 1e300 is not a finite number of at most 1e70 in size",
        ),
        (
            "step,time,body,x,y,vx,vy\n".to_owned(),
            " has no column `z`, `vz`; its columns are `step,time,body,x,y,vx,vy`",
        ),
        (HEAD.to_owned(), ", line 1: there is no row of a free body"),
        (
            format!("{HEAD}1,1,ball,3,0,NaN,3,0,2\n"),
            ", line 2, column `z`: NaN is not a finite number of at most 1e70 in size",
        ),
        (
            format!("{HEAD}{good}2,2,ball,6,0,5,3,0,inf\n"),
            ", line 4, column `vz`: inf is not a finite number of at most 1e70 in size",
        ),
        (format!("{HEAD}1,1,ball,3,0,eight,3,0,2\n"), ", line 2, column `z`: `eight` is no number"),
        (format!("{HEAD}1.5,1,ball,3,0,8,3,0,2\n"), ", line 2, column `step`: `1.5` is no whole number"),
        (format!("{HEAD}1,-1,ball,3,0,8,3,0,2\n"), ", line 2, column `time`: -1 s is no time from 0 to 1e12 s"),
        (format!("\n\n{HEAD}\n\n\n1,1,ball,3,0,eight,3,0,2"), ", line 7, column `z`: `eight` is no number"),
        (format!("{HEAD}{good}\n\n3,3,ball,9,0\n"), ", line 6: 9 fields wanted, as many as there are columns, 5 found"),
        (format!("{HEAD}1,1,,3,0,8,3,0,2\n"), ", line 2, column `body`: the name of a body is wanted, found nothing"),
        (format!("{HEAD}1,1,ball,3,0,8\n"), ", line 2: 9 fields wanted, as many as there are columns, 6 found"),
        (
            format!("{HEAD}{good}1,1,bll,3,0,8,3,0,2\n"),
            ", line 4, column `body`: the scene has no body `bll`; its free bodies are ball",
        ),
        (format!("{HEAD}{good}{good}"), ", line 4, column `body`: `ball` has a row at 1 s already, in line 2"),
        (
            format!("{HEAD}{good}3,3,ball,9,0,1,3,0,-9\n"),
            ", line 4, column `time`: 3 s is after the end of the scene at 2 s",
        ),
        (
            format!("{HEAD}2,1,ball,3,0,8,3,0,2\n1,2,ball,6,0,5,3,0,-7\n"),
            ", line 2, column `time`: step 2 must be later than step 1 at 2 s, found 1 s",
        ),
        (
            format!("{HEAD}1,0.5,ball,3,0,8,3,0,2\n2,1,ball,3,0,8,3,0,2\n"),
            ", line 3, column `time`: the table ends at 1 s, and the scene at 2 s; rows up to its end are wanted",
        ),
    ];
    for (text, wanted) in rows {
        assert_eq!(refusal(&text), wanted, "{text}");
        assert_eq!(refusal(&text.replace('\n', "\r\n")), wanted, "with other line ends: {text}");
    }
}

#[test]
fn every_body_has_a_row_at_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("theirs.csv");
    fs::write(&file, format!("{HEAD}1,0.5,a,0,0,0,0,0,0\n1,0.5,b,0,0,0,0,0,0\n2,1,a,0,0,0,0,0,0\n")).unwrap();
    let exact = Exact::new(&scenario("pair_head_on")).unwrap();
    let error = Trajectory::new(&read_foreign(&file).unwrap(), &exact).unwrap_err();
    assert!(
        error.to_string().ends_with(", line 4, column `body`: `b` has no row at 1 s, and other bodies do"),
        "{error}"
    );
}

/// The reason why an event log of `bounce_oblique` (2 s, one ball and a floor) is refused. It is empty if the log is
/// judged.
fn refusal_of_events(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("events.csv");
    fs::write(&file, text).unwrap();
    let scenario = scenario("bounce_oblique");
    let exact = Exact::new(&scenario).unwrap();
    let trajectory = Trajectory::new(&stepped(&scenario, 0.1), &exact).unwrap();
    let read = || Ok::<_, OracleError>(trajectory.with_events(&read_foreign_events(&file)?, &exact)?);
    let message = read().map_or_else(|error| error.to_string(), |_| String::new());
    message.rsplit_once("events.csv`").map_or(message.clone(), |(_, rest)| rest.to_owned())
}

#[test]
fn what_is_wrong_with_events_is_told_with_its_line() {
    let head = "time,kind,a,b\n";
    let rows = [
        (format!("{head}0.5,impact,ball,floor\n"), ""),
        (format!("{head}0.5,impact,floor,ball\n"), ""),
        (head.to_owned(), ""),
        ("b,more,a,kind,time\nball,7,floor,impact,0.5\n".to_owned(), ""),
        // Other kinds of events that carom itself writes.
        (format!("{head}0.1,sleep,ball,\n0.2,slip,ball,floor\n"), ""),
        (String::new(), ": the file is empty; wanted is a line with the columns time,kind,a,b"),
        ("time,a,b\n".to_owned(), " has no column `kind`; its columns are `time,a,b`"),
        (format!("{head}half,impact,ball,floor\n"), ", line 2, column `time`: `half` is no number"),
        (format!("{head}-1,impact,ball,floor\n"), ", line 2, column `time`: -1 s is no time from 0 to 1e12 s"),
        (
            format!("{head}0.5,impact,ball,floor\n7,impact,ball,floor\n"),
            ", line 3, column `time`: 7 s is after the end of the scene at 2 s",
        ),
        (
            format!("{head}0.5,hit,ball,floor\n"),
            ", line 2, column `kind`: no kind of event is called `hit`; that of an impact is `impact`",
        ),
        (format!("{head}0.5,impact,,floor\n"), ", line 2, column `a`: the name of a body is wanted, found nothing"),
        (format!("{head}0.5,impact,ball,\n"), ", line 2, column `b`: the name of a body is wanted, found nothing"),
        (
            format!("{head}0.5,impact,bll,floor\n"),
            ", line 2, column `a`: the scene has no body `bll`; its free bodies are ball",
        ),
        (
            format!("{head}0.5,impact,ball,flor\n"),
            ", line 2, column `b`: the scene has no body `flor`; its free bodies are ball",
        ),
        (format!("{head}0.5,impact,ball,ball\n"), ", line 2, column `b`: `ball` cannot meet itself"),
    ];
    for (text, wanted) in rows {
        assert_eq!(refusal_of_events(&text), wanted, "{text}");
    }
}

/// As an engine may write them: columns in another order, additional columns, and fixed bodies.
#[test]
fn columns_stand_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("theirs.csv");
    let text = "body, time, step, spin, vx, vy, vz, x, y, z\nball, 1e-2, 1, 7, 3, 0, 11.9, 0.03, 0, 1.12\nball, 2.0, 200, 7, 3, 0, -7, 6, 0, 5\n";
    fs::write(&file, text).unwrap();
    let table = read_foreign(&file).unwrap();
    assert_eq!(table.rows[0].position.to_array(), [0.03, 0.0, 1.12]);
    assert_eq!(table.rows[0].velocity.to_array(), [3.0, 0.0, 11.9]);
    let exact = Exact::new(&scenario("flight_parabola")).unwrap();
    let trajectory = Trajectory::new(&table, &exact).unwrap();
    assert!((trajectory.timestep - 0.01).abs() < 1e-12, "{}", trajectory.timestep);
    assert_eq!(trajectory.times.len(), 3, "the beginning is put in");
}
