/**
 * The node's responses are inconsistent: it lags, switched chains in between, or is wrong. A later retry may succeed.
 */
export class NodeError extends Error {
  override name = 'NodeError'
}

/** The node leaves out logs of a block, or cannot prove that it has no others. Another node may have them. */
export class MissingLogsError extends NodeError {
  override name = 'MissingLogsError'
}
