import { type Network, networks } from '#shared/networks.ts'

const written = networks.sepolia
/** The key of the page, and what names it. */
const localKey = /\/\/ public key of the local stack[^\n]*\nconst key = '0x[0-9a-f]{64}'/g
const localOwner = /OWNER=0x[0-9a-f]{40}/g

/**
 * The quick start for a network of the deployment; it is written for the local stack of Sepolia, whose accounts are
 * public.
 * @param rpcUrl node for visitors; undefined: the reader names one
 * @param isLocal whether the network is a local stack, with the accounts of the page
 */
export const fillQuickStart = (
  page: string,
  network: Network,
  rpcUrl: string | undefined,
  isLocal: boolean,
): string => {
  const values = new Map([
    ['localhost:8787/sepolia', `localhost:8787/${network.name}`],
    ['http://localhost:8545', rpcUrl ?? 'https://node.example'],
    [`id: ${written.chainId}`, `id: ${network.chainId}`],
    [written.label, network.label],
    [`name: '${written.nativeSymbol}', symbol: '${written.nativeSymbol}'`, toCurrency(network.nativeSymbol)],
    [written.wrappedNative, network.wrappedNative],
    [written.usdReference.address, network.usdReference.address],
    [`buyTokenDecimals: ${written.usdReference.decimals}`, `buyTokenDecimals: ${network.usdReference.decimals}`],
    [written.settlementContract, network.settlementContract],
    [written.vaultRelayer, network.vaultRelayer],
  ])
  const words = new RegExp([...values.keys()].map((text) => text.replaceAll('.', '\\.')).join('|'), 'g')
  const start = page.indexOf('<main')
  const end = page.indexOf('class="reference"')
  const own = page.slice(start, end).replace(words, (text) => escapeHtml(values.get(text) ?? text))
  const filled = isLocal
    ? own
    : own
        .replace(
          localKey,
          () => `// of an account that has some WETH\nconst key = process.env.PRIVATE_KEY as \`0x\${string}\``,
        )
        .replace(localOwner, () => `: "\${OWNER:?set it to the address of an account of the node}"`)
  return page.slice(0, start) + filled + page.slice(end)
}

const toCurrency = (symbol: string): string => `name: ${toLiteral(symbol)}, symbol: ${toLiteral(symbol)}`
const toLiteral = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`
const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
