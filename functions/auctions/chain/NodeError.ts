/**
 * The node's responses are inconsistent: it lags, switched chains in between, or is wrong. A later retry may succeed.
 */
export class NodeError extends Error {
  override name = 'NodeError'
}
