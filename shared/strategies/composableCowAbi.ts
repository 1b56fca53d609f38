import { parseAbi } from 'viem'

/**
 * The registry of conditional orders and the interface of their handlers, limited to what is used here, with the errors of both.
 * https://github.com/cowprotocol/composable-cow
 */
export const composableCowAbi = parseAbi([
  'struct Params { address handler; bytes32 salt; bytes staticInput; }',
  'struct Proof { uint256 location; bytes data; }',
  'struct Order { address sellToken; address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; bytes32 kind; bool partiallyFillable; bytes32 sellTokenBalance; bytes32 buyTokenBalance; }',
  'event ConditionalOrderCreated(address indexed owner, Params params)',
  'event MerkleRootSet(address indexed owner, bytes32 root, Proof proof)',
  'function getTradeableOrderWithSignature(address owner, Params params, bytes offchainInput, bytes32[] proof) view returns (Order order, bytes signature)',
  'function getTradeableOrder(address owner, address sender, bytes32 ctx, bytes staticInput, bytes offchainInput) view returns (Order order)',
  'function singleOrders(address owner, bytes32 hash) view returns (bool)',
  'function roots(address owner) view returns (bytes32)',
  'function create(Params params, bool dispatch)',
  'function remove(bytes32 hash)',
  'function setRoot(bytes32 root, Proof proof)',
  'error OrderNotValid(string reason)',
  'error PollTryNextBlock(string reason)',
  'error PollTryAtBlock(uint256 blockNumber, string reason)',
  'error PollTryAtEpoch(uint256 timestamp, string reason)',
  'error PollNever(string reason)',
  'error ProofNotAuthed()',
  'error SingleOrderNotAuthed()',
  'error SwapGuardRestricted()',
  'error InvalidHandler()',
  'error InvalidFallbackHandler()',
  'error InterfaceNotSupported()',
])
