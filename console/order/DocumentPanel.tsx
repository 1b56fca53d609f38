import type { Network } from '../networks/NetworksProvider.tsx'
import { NativeAmount } from '../tokens/NativeAmount.tsx'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { Preformatted } from '../ui/elements/Preformatted.tsx'
import { HexText } from '../ui/HexText.tsx'
import type { Order } from './loading/loadOrder.ts'

type Hook = Order['interactions']['pre'][number] & { when: 'before' | 'after'; place: number }

/** App data document of an order and its pre- and post-hooks. */
export const DocumentPanel = ({ network, order }: { network: Network; order: Order }) => {
  const { pre, post } = order.interactions
  const hooks: Hook[] = [
    ...pre.map((hook, place) => ({ ...hook, when: 'before' as const, place })),
    ...post.map((hook, place) => ({ ...hook, when: 'after' as const, place })),
  ]
  const columns: Column<Hook>[] = [
    { name: 'Runs', render: ({ when }) => `${when} the trade` },
    { name: 'Target', render: ({ target }) => <HexText value={target} label="target" /> },
    { name: 'Value', render: ({ value }) => <NativeAmount network={network} amount={value} /> },
    { name: 'Call', render: ({ callData }) => <HexText value={callData} label="call data" /> },
  ]
  return (
    <section class="panel" aria-labelledby="document">
      <h2 id="document">App data</h2>
      {hooks.length > 0 && (
        <>
          <h3>Hooks</h3>
          <DataTable caption="Hooks" columns={columns} rows={hooks} keyOf={({ when, place }) => `${when} ${place}`} />
        </>
      )}
      {order.fullAppData === null ? (
        <p class="muted">Only the hash is known; the document was never uploaded.</p>
      ) : (
        <Preformatted text={toPretty(order.fullAppData)} />
      )}
      <p class="fine">
        Hash <HexText value={order.appDataHash} label="app data hash" />
      </p>
    </section>
  )
}

const toPretty = (document: string): string => {
  try {
    return JSON.stringify(JSON.parse(document), null, 2)
  } catch {
    return document
  }
}
