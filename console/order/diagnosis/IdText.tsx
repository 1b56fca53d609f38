import type { Network } from '../../networks/NetworksProvider.tsx'
import { paths } from '../../networks/paths.ts'
import { HexText } from '../../ui/HexText.tsx'

/** An order, transaction or account link, chosen by the length of its id. */
export const IdText = ({ network, value }: { network: Network; value: string }) => {
  if (value.length === 114) return <HexText value={value} label="order UID" href={paths.order(network.name, value)} />
  if (value.length === 66)
    return <HexText value={value} label="transaction hash" href={paths.transaction(network.name, value)} />
  if (value.length === 42) return <HexText value={value} label="address" href={paths.account(network.name, value)} />
  return <code>{value}</code>
}
