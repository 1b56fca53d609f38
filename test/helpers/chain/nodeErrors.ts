/** An error response of a real node or provider to `eth_call`, and its cause: contract or node. */
export type NodeErrorVector = {
  node: string
  status: number
  error: { code: number; message: string; data?: unknown }
  fault: 'contract' | 'node'
}

const errorString = `0x08c379a0${'20'.padStart(64, '0')}${'4'.padStart(64, '0')}${'6e6f7065'.padEnd(64, '0')}`
/** `Error("header not found")`: a reason that reads like an outage */
const posing = `0x08c379a0${'20'.padStart(64, '0')}${'10'.padStart(64, '0')}${'686561646572206e6f7420666f756e64'.padEnd(64, '0')}`
const infuraRate = {
  rate: { allowed_rps: 1, backoff_seconds: 30, current_rps: 1.27 },
  see: 'https://infura.io/dashboard',
}

type Row = [node: string, code: number, message: string, data?: unknown, status?: number]

const contractFaults: Row[] = [
  // go-ethereum: core/vm/errors.go, internal/ethapi/errors.go
  ['geth', 3, 'execution reverted: nope', errorString],
  ['geth', 3, 'execution reverted', '0x'],
  ['geth', -32_000, 'execution reverted'],
  ['geth', 3, 'execution reverted: header not found', posing],
  ['geth', -32_000, 'out of gas'],
  ['geth', -32_000, 'invalid opcode: INVALID'],
  ['geth', -32_000, 'invalid opcode: opcode 0xc not defined'],
  ['geth', -32_000, 'invalid jump destination'],
  ['geth', -32_000, 'stack underflow (0 <=> 2)'],
  ['geth', -32_000, 'stack limit reached 1024 (1023)'],
  ['geth', -32_000, 'return data out of bounds'],
  ['geth', -32_000, 'write protection'],
  ['geth', -32_000, 'gas uint64 overflow'],
  ['geth', -32_000, 'max call depth exceeded'],
  ['geth', -32_000, 'invalid code: must not begin with 0xef'],
  ['geth', -32_000, 'err: max initcode size exceeded: code size 60000 limit 49152 (supplied gas 16000000)'],
  ['geth', -32_000, 'execution aborted (timeout = 5s)'],
  ['geth', -32_003, 'response too large'],
  // Nethermind issues 592, 2449, 11174, 12166 and issues that quote it
  ['Nethermind', -32_015, 'VM execution error.', 'Reverted 0x7a933234'],
  ['Nethermind', -32_015, 'VM execution error.', 'revert: SafeMath: division by zero'],
  ['Nethermind', -32_015, 'VM execution error.', 'revert: header not found'],
  ['Nethermind', -32_015, 'VM execution error.', 'Bad instruction fd'],
  ['Nethermind', -32_015, 'VM execution error.', 'Bad jump destination 2'],
  ['Nethermind', -32_000, 'out of gas', '0x'],
  ['Nethermind', -32_003, 'out of gas'],
  ['Nethermind', -32_003, 'stack underflow'],
  ['Nethermind', -32_003, 'Precompile ecMul failed with error: invalid input'],
  ['Nethermind', 3, 'execution reverted: nope', errorString],
  // Reth and revm
  ['Reth', 3, 'execution reverted: nope', errorString],
  ['Reth', 3, 'execution reverted: missing trie node 00', posing],
  ['Reth', -32_003, 'EVM error: InvalidFEOpcode'],
  ['Reth', -32_003, 'EVM error: InvalidJump'],
  ['Reth', -32_003, 'EVM error: StackUnderflow'],
  ['Reth', -32_003, 'EVM error: OpcodeNotFound'],
  ['Reth', -32_003, 'EVM error: OutOfOffset'],
  ['Reth', -32_003, 'out of gas: gas required exceeds: 1000000'],
  // Erigon
  ['Erigon', 3, 'execution reverted: nope', errorString],
  ['Erigon', -32_000, 'invalid opcode: opcode 0xfe not defined'],
  ['Erigon', -32_000, 'execution aborted (timeout = 5s)'],
  ['Erigon', -32_003, 'EVM error: InvalidJump'],
  // Besu: RpcErrorType
  ['Besu', -32_000, 'Execution reverted', errorString],
  ['Besu', -32_000, 'Execution reverted: header not found', posing],
  ['Besu', -32_000, 'Transaction processing could not be completed due to an exception: INVALID_OPERATION'],
  ['Besu', -32_603, 'Internal error'],
  // anvil
  ['anvil', 3, 'execution reverted: nope', errorString],
  ['anvil', -32_003, 'EVM error InvalidFEOpcode'],
  ['anvil', -32_603, 'EVM error OutOfGas'],
  // Hardhat nests the revert data in an object
  [
    'Hardhat',
    -32_603,
    "VM Exception while processing transaction: reverted with reason string 'header not found'",
    { data: posing },
  ],
  ['a proxy', -32_000, 'execution reverted', '0x', 400],
  // no known node states a reason without words of its own; revert data and codes of a revert decide all the same
  ['a node that states the reason alone', 3, 'header not found'],
  ['a node that states the reason alone', -32_015, 'unknown block'],
  ['a node that states the reason alone', -32_000, 'header not found', posing],
  ['a node that states the reason alone', -32_000, 'header not found', `Reverted ${posing}`],
  ['a node that states the reason alone', -32_000, 'header not found', { data: posing }],
]

const nodeFaults: Row[] = [
  ['geth', -32_000, 'header not found'],
  ['geth', -32_000, 'header for hash not found'],
  ['geth', -32_000, 'missing trie node ef7df5d88cb1614dc3f143879a653cd90717ee42e967c5fabbcd7505a968f314 (path )'],
  ['geth', -32_000, 'required historical state unavailable (reexec=128)'],
  [
    'geth',
    -32_000,
    'historical state 5eb0…8a2f is not available, path scheme does not support historical state queries',
  ],
  ['geth', -32_000, 'unknown block'],
  ['geth', -32_601, 'the method eth_call does not exist/is not available'],
  ['geth', -32_700, 'parse error'],
  [
    'Nethermind',
    -32_002,
    'No state available for block 0xe7b1e5b5b5c730816ef2b9627a85c227f6924f27504f1b36cc7328bff79ecc6e',
  ],
  ['Nethermind', -32_000, 'missing trie node (path ) state 0xd7f8974f'],
  ['Nethermind', -32_000, '4294967295 could not be found'],
  ['Reth', -32_001, 'block not found: 0xffffffff'],
  ['Reth', -32_603, 'State at block #11052984 is pruned'],
  ['Reth', 4_444, 'pruned history unavailable'],
  ['Erigon', -32_000, 'method handler crashed'],
  ['Erigon', -32_000, 'block 18446744073709551615 not found'],
  [
    'OpenEthereum',
    -32_000,
    'This request is not supported because your node is running with state pruning. Run with --pruning=archive.',
  ],
  ['Besu', -32_000, 'World state unavailable'],
  ['Besu', -32_601, 'Method not found'],
  ['anvil', -32_602, 'BlockOutOfRangeError: block height is 0 but requested was 1'],
  [
    'Alchemy',
    429,
    'Your app has exceeded its compute units per second capacity. If you have retries enabled, you can safely ignore this message.',
  ],
  [
    'Alchemy',
    -32_600,
    'Monthly capacity limit exceeded. Visit https://dashboard.alchemyapi.io/settings/billing',
    undefined,
    403,
  ],
  ['Alchemy', -32_000, 'Monthly capacity limit exceeded. Visit https://dashboard.alchemyapi.io/settings/billing'],
  ['Infura', -32_005, 'daily request count exceeded, request rate limited', infuraRate],
  ['Infura', -32_005, 'exceeded project rate limit', infuraRate, 429],
  ['Infura', -32_002, 'invalid project id', undefined, 401],
  [
    'QuickNode',
    -32_007,
    '15/second request limit reached - reduce calls per second or upgrade your account at quicknode.com',
  ],
  ['QuickNode', -32_600, 'Must be authenticated!', undefined, 401],
  ['Base', -32_016, 'over rate limit'],
  ['Base', -32_000, '429 Too Many Requests: {"jsonrpc":"2.0","error":{"code":-32016,"message":"over rate limit"}}'],
  ['eRPC', -32_603, 'upstream does not have the requested block yet'],
  ['dRPC', -32_000, 'Unable to complete request at this time.'],
  ['Reth', -32_602, 'distance to target block exceeds maximum proof window'],
  // codes decide whatever the text
  ['geth', -32_600, 'batch too large'],
  ['EIP-1474', -32_004, 'Method not supported'],
  ['EIP-1474', -32_005, 'Limit exceeded'],
  ['QuickNode', -32_007, 'limit reached'],
  ['a provider', -32_029, 'limit reached'],
  ['a provider', 429, 'limit reached'],
  // texts decide behind a proxy with a code of its own
  ['a proxy', -32_000, 'project ID request rate exceeded'],
  ['a proxy', -32_000, 'Your app has exceeded its concurrent requests capacity.'],
  ['a proxy', -32_000, '15/second request limit reached - reduce calls per second'],
  ['a proxy', -32_000, 'out of gas', undefined, 502],
  ['a proxy', 3, 'execution reverted', '0x', 503],
]

const toVector =
  (fault: NodeErrorVector['fault']) =>
  ([node, code, message, data, status = 200]: Row): NodeErrorVector => ({
    node,
    status,
    error: { code, message, ...(data === undefined ? {} : { data }) },
    fault,
  })

/** Texts from sources of nodes and from reports of their users; rows of a proxy combine such a text with a status. */
export const nodeErrors: NodeErrorVector[] = [
  ...contractFaults.map(toVector('contract')),
  ...nodeFaults.map(toVector('node')),
]
