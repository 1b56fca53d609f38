import { parseAbi } from 'viem'

/**
 * The settlement contract (`GPv2Settlement` of @cowprotocol/contracts), limited to the called functions and indexed
 * events. In `settle`, the i-th clearing price belongs to the i-th token, trades name tokens by their index, and the
 * three lists of interactions run before the sell tokens are pulled in, between, and after the buy tokens are paid out.
 */
export const settlementAbi = parseAbi([
  'struct Trade { uint256 sellTokenIndex; uint256 buyTokenIndex; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; uint256 flags; uint256 executedAmount; bytes signature; }',
  'struct Interaction { address target; uint256 value; bytes callData; }',
  'function settle(address[] tokens, uint256[] clearingPrices, Trade[] trades, Interaction[][3] interactions)',
  'function invalidateOrder(bytes orderUid)',
  'function setPreSignature(bytes orderUid, bool signed)',
  'function filledAmount(bytes orderUid) view returns (uint256)',
  'function preSignature(bytes orderUid) view returns (uint256)',
  'function domainSeparator() view returns (bytes32)',
  'function authenticator() view returns (address)',
  'function vaultRelayer() view returns (address)',
  'function simulateDelegatecall(address targetContract, bytes calldataPayload) returns (bytes response)',
  'event Trade(address indexed owner, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount, bytes orderUid)',
  'event Settlement(address indexed solver)',
  'event OrderInvalidated(address indexed owner, bytes orderUid)',
  'event PreSignature(address indexed owner, bytes orderUid, bool signed)',
  'event Interaction(address indexed target, uint256 value, bytes4 selector)',
])
