import { Component, type ReactNode } from 'react'
import { withTranslation, type WithTranslation } from 'react-i18next'
import { Button } from '~/src/ui/controls'
import { EmptyState } from '~/src/ui/states'

interface Props extends WithTranslation {
  children?: ReactNode
  report?: (what: string, error: unknown) => void
}

class Boundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown) {
    this.props.report?.('a page crashed', error)
  }

  override render() {
    const { t, children } = this.props
    if (!this.state.failed) return children
    return (
      <EmptyState
        title={t('page_crashed')}
        action={<Button onClick={() => window.location.reload()}>{t('reload')}</Button>}
      />
    )
  }
}

/** Keeps one page's fault from taking the whole screen. */
export const ErrorBoundary = withTranslation()(Boundary)
