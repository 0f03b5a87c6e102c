#!/usr/bin/env python3
"""The closed forms of the oracle's scenes to 60 digits.

    python3 tests/oracle/closed_forms.py > tests/oracle/closed_forms.tsv

Needs mpmath. Each line has the scene, the quantity as carom names it, and the value. The formulas are written
here again, from the same sources as those of the program. The constants are decimal, not binary.
"""
from mpmath import acos, asin, atan, ceil, cos, cot, mp, mpf, nstr, pi, sqrt

mp.dps = 80
g = mpf("9.81")

FORMS = [
    ("flight_parabola", "x of ball at 2 s", mpf(6)),
    ("flight_parabola", "z of ball at 2 s", 25-2*g),
    ("flight_parabola", "vz of ball at 2 s", 12-2*g),
    ("flight_straight", "x of box at 10 s", mpf(-15)),
    ("flight_straight", "z of ball at 10 s", mpf(-20)),
    ("flight_high", "z of ball at 40 s", 8000-800*g),
    ("bounce_elastic", "time of impact 1 of ball", sqrt(2/g)),
    ("bounce_elastic", "time of impact 11 of ball", 21*sqrt(2/g)),
    ("bounce_restitution", "vz of e 0.4 at 0.5 s", g*(mpf("0.4")*sqrt(2/g)-(mpf("0.5")-sqrt(2/g)))),
    ("bounce_restitution", "vz of e 0.8 at 0.5 s", g*(mpf("0.8")*sqrt(2/g)-(mpf("0.5")-sqrt(2/g)))),
    ("bounce_to_rest", "time of impact 20 of ball", sqrt(2/g)*(3-mpf(1)/2**18)),
    ("bounce_box", "time of impact 2 of box", mpf("2.4")*sqrt(2/g)),
    ("bounce_oblique", "time of impact 1 of ball", mpf(1)/2),
    ("bounce_oblique", "z of ball at 2 s", mpf("2.8")),
    ("bounce_oblique", "x of ball at 2 s", mpf(3)),
    ("bounce_tilted", "time of impact 1 of ball", mpf(1)/2),
    ("bounce_tilted", "vx of ball at 1.4 s", mpf("4.8")),
    ("bounce_tilted", "vz of ball at 1.4 s", mpf("-7.6")),
    ("bounce_two_walls", "time of impact 46 of ball", mpf("36.4")/mpf("7.3")),
    ("pair_head_on", "time of impact 1 of a", mpf("1.3")/4),
    ("pair_head_on", "vx of b at 1 s", mpf(3)),
    ("pair_unequal", "time of impact 1 of a", mpf(1)/4),
    ("pair_unequal", "vx of a at 1 s", mpf(-1)/2),
    ("pair_unequal", "vx of b at 1 s", mpf(3)/2),
    ("pair_oblique", "time of impact 1 of a", (1-sqrt(mpf("0.04")-mpf("0.0144")))/2),
    ("pair_oblique", "vx of b at 1 s", mpf("1.28")),
    ("pair_oblique", "vz of a at 1 s", mpf("-0.96")),
    ("pair_grazing", "time of impact 1 of a", (1-sqrt(mpf("0.04")-mpf("0.1998")**2))/2),
    ("pair_grazing", "vz of b at 1 s", 2*mpf("0.999")*sqrt(mpf("0.04")-mpf("0.1998")**2)/mpf("0.2")),
    ("pair_near_miss", "impacts of a", mpf(0)),
    ("pair_space", "time of impact 1 of a", (1-mpf("0.4")/3)/3),
    ("pair_space", "vx of b at 1 s", mpf("1.9")/3*3*4/9),
    ("pair_space", "vy of b at 1 s", mpf("1.9")/3*3*2/9),
    ("pair_boxes", "time of impact 1 of a", mpf("0.8")/3),
    ("pair_boxes", "vx of a at 1 s", mpf("1.2")),
    ("pair_boxes", "vx of b at 1 s", mpf("3.6")),
    ("pair_ball_box", "time of impact 1 of ball", mpf("0.7")/3),
    ("pair_ball_box", "vx of ball at 1 s", mpf("-1.8")),
    ("chain_cradle_gaps", "time of impact 1 of ball 5", mpf("0.86")),
    ("chain_cradle_gaps", "vx of ball 5 at 1.5 s", mpf(1)),
    ("chain_cradle_touching", "time of impact 1 of ball 5", mpf("0.75")),
    ("chain_cradle_touching", "x of ball 5 at 1.5 s", mpf("1.5")),
    ("chain_galperin_31", "impacts of small", ceil(pi/atan(mpf("0.1")))-1),
    ("chain_galperin_31", "time of impact 31 of small", 3-mpf("0.1")*cot(31*atan(mpf("0.1")))),
    ("chain_galperin_314", "impacts of small", ceil(pi/atan(mpf("0.01")))-1),
    ("chain_galperin_314", "time of impact 314 of small", 3-mpf("0.01")*cot(314*atan(mpf("0.01")))),
    ("chain_two_balls", "time of impact 1 of heavy", sqrt(2/g)),
    ("chain_two_balls", "time of impact 1 of light", sqrt(2/g)+mpf("0.0005")/sqrt(2*g)),
    ("chain_two_balls", "vz of light at 0.6 s", 2*sqrt(2*g)-g*(mpf("0.6")-sqrt(2/g))),
    ("bullet_10cm", "time of impact 1 of bullet", (mpf("1.69")-mpf("0.05"))/300),
    ("bullet_10cm", "x of bullet at 0.1 s", mpf("1.68")-30-2*mpf("0.05")),
    ("bullet_1cm", "time of impact 1 of bullet", (mpf("1.69")-mpf("0.005"))/300),
    ("bullet_1cm", "x of bullet at 0.1 s", mpf("1.68")-30-2*mpf("0.005")),
    ("bullet_1mm", "time of impact 1 of bullet", (mpf("1.69")-mpf("0.0005"))/300),
    ("bullet_1mm", "x of bullet at 0.1 s", mpf("1.68")-30-2*mpf("0.0005")),
    ("bullet_10um", "time of impact 1 of bullet", (mpf("1.69")-mpf("0.000005"))/300),
    ("bullet_10um", "x of bullet at 0.1 s", mpf("1.68")-30-2*mpf("0.000005")),
    ("bullet_1um", "time of impact 1 of bullet", (mpf("1.69")-mpf("0.0000005"))/300),
    ("bullet_1um", "x of bullet at 0.1 s", mpf("1.68")-30-2*mpf("0.0000005")),
    ("bullet_half_space", "time of impact 1 of bullet", mpf("0.01699")),
    ("bullet_head_on", "time of impact 1 of a", mpf("0.0233")),
    ("bullet_foil", "time of impact 1 of bullet", mpf("1.6895")/300),
    ("bullet_foil", "vx of bullet at 0.1 s", mpf(300)*9/11),
    ("bullet_foil", "vx of foil at 0.1 s", mpf(300)*20/11),
    ("bullet_box", "time of impact 1 of bullet", mpf("1.6895")/300),
    ("corner_edge", "time of impact 1 of ball", sqrt(mpf("0.1"))),
    ("corner_edge", "vx of ball at 0.7 s", mpf("0.96")*sqrt(mpf(10))),
    ("corner_vertex", "vx of ball at 0.7 s", mpf(8)/9*sqrt(mpf(10))),
    ("corner_vertex", "vy of ball at 0.7 s", mpf(4)/9*sqrt(mpf(10))),
    ("corner_miss", "impacts of ball", mpf(0)),
    ("corner_miss", "z of ball at 0.7 s", mpf("-1.95")),
    ("corner_two_walls", "time of impact 2 of ball", mpf("0.9")/mpf("1.7")),
    ("corner_two_walls", "vx of ball at 1.5 s", mpf(3)),
    ("corner_three_walls", "time of impact 3 of ball", mpf("0.9")/mpf("1.3")),
    ("corner_three_walls", "vy of ball at 2 s", mpf("1.9")),
    ("friction_slide", "time at which box no longer slides", 2/(mpf("0.3")*g)),
    ("friction_slide", "x of box at 1.5 s", 2/(mpf("0.3")*g)),
    ("friction_stick", "x of box at 4 s", mpf(0)),
    ("friction_slope", "x of box at 2 s", mpf("3.52")),
    ("friction_roll", "x of ball at 2 s", mpf(2)),
    ("friction_bowling", "time at which ball no longer slides", mpf(1)),
    ("friction_bowling", "vx of ball at 2 s", mpf(5)),
    ("friction_bowling", "x of ball at 2 s", mpf(11)),
    ("friction_bounce", "vx of slides at 1 s", mpf("2.92")),
    ("friction_bounce", "vx of grips at 1 s", mpf(1)/2),
    ("stack_two", "z of box 2 at 5 s", mpf("0.3")),
    ("stack_ten", "z of box 10 at 5 s", mpf("1.9")),
    ("stack_heavy_top", "z of heavy at 5 s", mpf("0.3")),
    ("piston_ball", "time of impact 28 of piston", (1-mpf("0.95")/mpf("3.75"))/mpf("0.05")),
    ("piston_strike", "time of impact 1 of elastic", mpf("0.2")),
    ("piston_strike", "vx of elastic at 1 s", mpf(3)),
    ("piston_strike", "vx of half at 1 s", mpf("2.25")),
    ("simbench_bouncing", "time of impact 10 of ball 00", 19*sqrt(mpf("9.8")/g)),
    ("simbench_rolling", "x of box at 2 s", 2*mpf("10.5")/mpf("10.35")),
    ("simbench_rolling", "x of ball at 2 s", mpf("10.5")/mpf("10.35")),
]

# What follows is written with the laws, not with the formulas of the program.


def rebound(v, n, e):
    """The velocity of a smooth ball after an impact with a fixed body that has the normal n."""
    along = sum(a*b for a, b in zip(v, n))
    return [a-(1+e)*along*b for a, b in zip(v, n)]


def floor(v, w, r, u, e, mu):
    """Velocity and spin along the floor after an impact at the speed u along z, by the impulse J of friction: v' = v + J,
    w' = w + 5/2 (-r z) x J/r². It stops the slip v + w x (-r z) or is at most mu (1 + e) u."""
    slip = [v[0]-r*w[1], v[1]+r*w[0]]
    size = sqrt(slip[0]**2+slip[1]**2)
    part = min(mpf(2)/7, mu*(1+e)*u/size)
    j = [-part*s for s in slip]
    return [v[0]+j[0], v[1]+j[1], w[0]+mpf(5)/2*j[1]/r, w[1]-mpf(5)/2*j[0]/r]


def rolling(v, w, r, a, t):
    """When a ball that slides on a floor with the deceleration a rolls, its velocity then, and its place at t."""
    slip = [v[0]-r*w[1], v[1]+r*w[0]]
    size = sqrt(slip[0]**2+slip[1]**2)
    end = mpf(2)/7*size/a
    late = [b-a*end*s/size for b, s in zip(v, slip)]
    at = [b*end-a*end**2/2*s/size+c*(t-end) for b, s, c in zip(v, slip, late)]
    return end, late, at


def about(v2, r, up):
    """The square of the speed of a ball that turns about an edge without slip and rises by `up`."""
    return v2-mpf(10)/7*10*up


tenth, half, spun = mpf("0.1"), mpf(1)/2, mpf("0.8")
jump = rebound([mpf(3), -10*tenth], [mpf("-0.6"), mpf("0.8")], half)
strike = rebound([mpf(2), mpf(0)], [mpf("-0.6"), mpf("0.8")], 1)
tilt = asin(mpf("0.028")/tenth)
low = tenth*(1-cos(tilt))
# About the far edge, the angular momentum before and after the impact is the same.
turned = sqrt(about(mpf("0.25"), tenth, -low))*(cos(2*tilt)+mpf(2)/5)/(mpf(7)/5)
climbed = mpf("0.77")*(mpf("0.08")/tenth+mpf(2)/5)/(mpf(7)/5)
# Where the weight along the normal is just m v²/r: g r c = v0² + k g r (1 - c), with k = 2 sliding and 10/7 rolling.
slides = (1+2*mpf("2.5"))/(mpf("2.5")*3)
rolls = (mpf("0.25")+mpf(10)/7*mpf("2.5"))/(mpf("2.5")*mpf(17)/7)
spins = {name: floor([mpf(v), mpf(0)], [mpf(0), mpf(w)], tenth, 3, spun, mpf("0.2"))
         for name, v, w in [("backspin slides", 2, -40), ("backspin grips", half, -30), ("spin alone", 0, 20), ("topspin grips", 1, 38), ("topspin slides", 1, 60)]}
side = floor([mpf(3), mpf(0)], [mpf(40), mpf(0)], tenth, 3, spun, mpf("0.2"))
grip = floor([mpf("1.2"), mpf(0)], [mpf(16), mpf(0)], tenth, 3, spun, mpf("0.2"))
drill = floor([mpf("0.7"), mpf(0)], [mpf(0), mpf(0)], tenth, 3, spun, mpf("0.2"))
back = rolling([mpf(2), mpf(0)], [mpf(0), mpf(-80)], tenth, mpf(2), mpf(3))
curve = rolling([mpf("1.5"), mpf(0)], [mpf(20), mpf(0)], tenth, mpf(2), mpf(1))
carried = rolling([mpf("-1.5"), mpf(0)], [mpf(0), mpf(0)], tenth, mpf("2.5"), mpf(2))
# Between two equal balls the impulse that stops the slip r w is a seventh of it per mass, half of 2/7.
thrown = min(mpf("0.05")*2, 2/mpf(7))
gripped = min(mpf("0.05")*2, half/7)

FORMS += [
    ("seam_ball", "x of ball at 2 s", mpf(4)),
    ("seam_ball", "z of ball at 2 s", tenth),
    ("seam_ball", "wy of ball at 2 s", mpf(20)),
    ("seam_fast", "x of ball at 1 s", mpf(7)),
    ("seam_fast", "z of ball at 1 s", mpf("0.2")),
    ("seam_box", "time at which box no longer slides", 4/(mpf("0.3")*g)),
    ("seam_box", "x of box at 2 s", mpf("0.15")+16/(2*mpf("0.3")*g)),
    ("seam_bounce", "time of impact 10 of ball", 19*sqrt(mpf("0.4")/10)),
    ("seam_bounce", "x of ball at 4 s", mpf("0.147")+4*mpf("0.7525")),
    ("seam_bounce", "z of ball at 4 s", mpf("0.3")),
    ("seam_wall", "z of box at 1 s", mpf("-0.15")-(10-mpf("0.4")*5)/2),
    ("seam_wall", "vz of box at 1 s", mpf("0.4")*5-10),
    ("seam_mesh", "x of ball at 2 s", mpf(4)),
    ("seam_mesh", "z of ball at 2 s", tenth),
    ("seam_mesh", "time at which box no longer slides", 4/(half*g)),
    ("seam_mesh", "x of box at 2 s", 16/(2*half*g)),
    ("gap_jump", "time of impact 2 of ball", mpf("0.6")/3+sqrt(2*mpf("0.25")*mpf("0.2")/10)),
    ("gap_jump", "vx of ball at 0.65 s", jump[0]),
    ("gap_jump", "z of ball at 0.65 s", mpf("0.25")*mpf("0.8")+jump[1]*mpf("0.35")-5*mpf("0.35")**2),
    ("gap_roll", "vx of ball at 1.5 s", sqrt(about(turned**2, tenth, low))),
    ("step_strike", "time of impact 2 of ball", mpf("0.44")/2),
    ("step_strike", "vx of ball at 0.5 s", strike[0]),
    ("step_strike", "z of ball at 0.5 s", tenth+strike[1]*mpf("0.28")-5*mpf("0.28")**2),
    ("step_climb", "time of impact 2 of ball", mpf("0.44")/mpf("0.77")),
    ("step_climb", "vx of ball at 2 s", sqrt(about(climbed**2, tenth, mpf("0.02")))),
    ("edge_ball", "time of impact 2 of ball", half/2+sqrt(mpf("0.4")/10)),
    ("edge_ball", "time of impact 3 of ball", half/2+2*sqrt(mpf("0.4")/10)),
    ("edge_ball", "x of ball at 1.2 s", 2*mpf("1.2")-half),
    ("edge_ball", "wy of ball at 1.2 s", mpf(20)),
    ("edge_box", "time of impact 2 of box", mpf("0.6")+sqrt(mpf("0.4")/10)),
    ("edge_box", "z of box at 0.7 s", tenth-5*tenth**2),
    ("edge_box", "x of box at 1.2 s", mpf("1.2")-half),
    ("edge_slide", "vx of ball at 1.2 s", sqrt(mpf("2.5")*slides)*cos(acos(slides))),
    ("edge_roll", "vx of ball at 1.8 s", sqrt(mpf("2.5")*rolls)*cos(acos(rolls))),
    ("spin_bounce", "vx of backspin slides at 1 s", spins["backspin slides"][0]),
    ("spin_bounce", "wy of backspin slides at 1 s", spins["backspin slides"][3]),
    ("spin_bounce", "vx of backspin grips at 1 s", spins["backspin grips"][0]),
    ("spin_bounce", "vx of spin alone at 1 s", spins["spin alone"][0]),
    ("spin_bounce", "vx of topspin grips at 1 s", spins["topspin grips"][0]),
    ("spin_bounce", "vx of topspin slides at 1 s", spins["topspin slides"][0]),
    ("spin_side", "vx of slides at 1 s", side[0]),
    ("spin_side", "vy of slides at 1 s", side[1]),
    ("spin_side", "wx of slides at 1 s", side[2]),
    ("spin_side", "vx of grips at 1 s", grip[0]),
    ("spin_side", "vy of grips at 1 s", grip[1]),
    ("spin_side", "vx of drills at 1 s", drill[0]),
    ("spin_side", "wz of drills at 1 s", mpf(50)),
    ("spin_back", "time at which ball no longer slides", back[0]),
    ("spin_back", "vx of ball at 3 s", back[1][0]),
    ("spin_back", "x of ball at 3 s", back[2][0]),
    ("spin_curve", "time at which ball no longer slides", curve[0]),
    ("spin_curve", "x of ball at 1 s", curve[2][0]),
    ("spin_curve", "y of ball at 1 s", curve[2][1]),
    ("spin_throw", "vx of slides target at 1 s", mpf(2)),
    ("spin_throw", "vz of slides target at 1 s", -thrown),
    ("spin_throw", "vz of grips target at 1 s", -gripped),
    ("spin_throw", "wy of grips at 1 s", 5-mpf(5)/2*gripped/tenth),
    ("spin_throw", "wy of grips target at 1 s", -mpf(5)/2*gripped/tenth),
    ("belt_box", "time at which box no longer slides", mpf("1.5")/mpf("2.5")),
    ("belt_box", "x of box at 2 s", mpf("1.5")*2-mpf("1.5")**2/5),
    # As the belt sees it, the ball slides backwards and then rolls.
    ("belt_ball", "time at which ball no longer slides", carried[0]),
    ("belt_ball", "vx of ball at 2 s", mpf("1.5")+carried[1][0]),
    ("belt_ball", "x of ball at 2 s", 3+carried[2][0]),
    ("stack_100", "z of box/99 at 2 s", mpf("19.9")),
]
for shift in (0, 32, 1024):
    FORMS += [
        ("copies_grid", f"time of impact 1 of ball {shift}", half),
        ("copies_grid", f"time of impact 2 of ball {shift}", mpf(1)),
        ("copies_grid", f"x of ball {shift} at 1.25 s", shift+2-half-half*2*mpf("0.25")),
        ("copies_grid", f"z of ball {shift} at 1.25 s", mpf("0.125")+half*2*mpf("0.75")),
    ]

for scene, quantity, value in FORMS:
    print(scene, quantity, nstr(value, 60, strip_zeros=False), sep="\t")
