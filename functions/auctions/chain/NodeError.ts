/** What the node says does not fit together: it lags, it switched chains meanwhile, or it is wrong. Asking again later helps. */
export class NodeError extends Error {
  override name = 'NodeError'
}
