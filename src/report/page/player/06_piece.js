// A piece of a path between two knots, each a time, a place and a velocity. Both the page and its workers use this; it goes
// into the text of each worker, so it uses nothing from outside.

// The acceleration of the parabola that leaves `from` with its velocity and comes to the place of `to`, across a periodic
// boundary to its nearest image; `pull` is about what it is.
function bendBetween(from, to, pull, periods) {
  const seconds = to[0] - from[0];
  return [0, 1, 2].map((axis) => {
    const gap = to[1 + axis] - from[1 + axis] - (from[4 + axis] + 0.5 * pull[axis] * seconds) * seconds;
    return pull[axis] + (2 * (gap - wholePeriods(gap, periods[axis]))) / seconds ** 2;
  });
}

// The whole periods in a difference of two coordinates, as a length.
function wholePeriods(gap, period) {
  const size = period ? period[1] - period[0] : 0;
  return size > 0 ? size * Math.round(gap / size) : 0;
}
