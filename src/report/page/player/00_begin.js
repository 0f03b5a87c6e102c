// The player of a page of carom, and the playground. The files of this folder are joined in the order of their names; see
// web/README.md. Names and titles come from scenarios, so all text is set with textContent.
(() => {
"use strict";
