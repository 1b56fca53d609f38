import { parseAbi } from 'viem'

/** The contract that runs hooks; only the settlement contract may call it. `contracts/HooksTrampoline.sol` */
export const hooksTrampolineAbi = parseAbi([
  'struct Hook { address target; bytes callData; uint256 gasLimit; }',
  'function execute(Hook[] hooks)',
  'function settlement() view returns (address)',
  'error NotASettlement()',
  'error NotEnoughGas()',
])
