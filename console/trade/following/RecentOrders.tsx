import { useEffect, useRef } from 'preact/hooks'
import { OrdersTable } from '../../account/OrdersTable.tsx'
import { read } from '../../api/ApiFailure.ts'
import { client } from '../../api/client.ts'
import { useRequest } from '../../api/useRequest.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { paths } from '../../networks/paths.ts'
import { Failure } from '../../ui/Failure.tsx'

type Props = {
  network: Network
  owner: string
  /** the order above and its progress; any change reloads the list */
  followed: string
}

const shown = 5
const refreshMs = 10_000

/** Newest orders of the connected account. */
export const RecentOrders = ({ network, owner, followed }: Props) => {
  const { name } = network
  const { data, failure, reload } = useRequest(
    `recent:${name}:${owner}`,
    (signal) =>
      read(
        client.GET('/{network}/api/v1/account/{owner}/orders', {
          params: { path: { network: name, owner }, query: { limit: shown } },
          signal,
        }),
      ),
    refreshMs,
  )
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new order or a change of it
  useEffect(() => {
    if (!isFirst.current) reload()
    isFirst.current = false
  }, [followed])
  return (
    <section class="panel" aria-labelledby="recent-title">
      <h2 id="recent-title">Newest orders of this account</h2>
      {failure && <Failure failure={failure} retry={reload} />}
      {data?.length === 0 && <p>It has placed no order yet.</p>}
      {data && data.length > 0 && <OrdersTable network={network} orders={data} />}
      <p>
        <a href={paths.account(name, owner)}>All orders of this account</a>
      </p>
    </section>
  )
}
