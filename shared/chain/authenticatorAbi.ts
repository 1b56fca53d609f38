import { parseAbi } from 'viem'

/** The settlement contract's `authenticator()`: the list of accounts that may call `settle` (`GPv2AllowListAuthentication`). */
export const authenticatorAbi = parseAbi([
  'function isSolver(address prospectiveSolver) view returns (bool)',
  'function addSolver(address solver)',
  'function removeSolver(address solver)',
  'function manager() view returns (address)',
])
