import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import { useTitle } from '../browser/useTitle.ts'
import { NetworkFinder } from '../networks/NetworkFinder.tsx'
import { useNetworks } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { MissingId } from '../networks/target/MissingId.tsx'
import { useNamedNetwork } from '../networks/useNamedNetwork.ts'
import { shorten } from '../ui/shorten.ts'
import { toId } from '../ui/toDigits.ts'
import { OrderView } from './OrderView.tsx'

/** `/orders/{uid}`: history and diagnosis of an order. */
export const OrderPage = ({ uid: given }: { uid: string }) => {
  const uid = toId(given)
  const network = useNamedNetwork()
  const networks = useNetworks()
  useTitle(`Order ${shorten(uid)}`)
  return (
    <div class="page">
      {network ? (
        <OrderView key={`${network.name} ${uid}`} network={network} uid={uid} />
      ) : (
        <NetworkFinder
          networks={networks}
          what={`order ${uid}`}
          load={(name, signal) =>
            read(client.GET('/{network}/api/v1/orders/{uid}', { params: { path: { network: name, uid } }, signal }))
          }
          toPath={(name) => paths.order(name, uid)}
          renderMissing={(retry) => (
            <MissingId kind="order" id={uid} searched={networks.map(({ label }) => label)} retry={retry} />
          )}
        />
      )}
    </div>
  )
}
