import { Component, type ComponentChildren } from 'preact'
import { BrokenPage } from './BrokenPage.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'

type Props = { url: string; children: ComponentChildren }

type State = { failed: { url: string; error: unknown } | null }

/** Shows an error in place of a page that cannot be rendered, until the address changes. */
export class PageBoundary extends Component<Props, State> {
  override state: State = { failed: null }

  override componentDidCatch(error: unknown): void {
    console.error(error)
    this.setState({ failed: { url: this.props.url, error } })
  }

  override componentDidUpdate(): void {
    // a later visit tries again
    if (this.state.failed && this.state.failed.url !== this.props.url) this.setState({ failed: null })
  }

  override render({ url, children }: Props, { failed }: State) {
    if (failed?.url !== url) return children
    // a path with invalid escapes belongs to no page
    return failed.error instanceof URIError ? <NotFoundPage /> : <BrokenPage />
  }
}
