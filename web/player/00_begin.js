// The player of a page of carom, and the playground. `web/build` joins the files of web/player in the order of their names; see
// web/README.md. Names and titles come from scenarios, so all text is set with textContent.
(() => {
"use strict";
