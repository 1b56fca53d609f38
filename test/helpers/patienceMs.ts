/**
 * The longest wait for something that a test expects, milliseconds. A limit against hangs that asserts nothing about speed: beside
 * other programs everything takes several times as long. What a deadline of the service bounds has its own limit.
 */
export const patienceMs = 180_000
