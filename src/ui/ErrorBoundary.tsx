import { Component, type ReactNode } from 'react'
import { withTranslation, type WithTranslation } from 'react-i18next'
import { Button } from './controls'
import { EmptyState } from './states'

interface Props extends WithTranslation {
  children?: ReactNode
  /** Shown in place of the failed part; when absent, shows a message and a button to reload. */
  fallback?: ReactNode
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
    const { t, children, fallback } = this.props
    if (!this.state.failed) return children
    if (fallback !== undefined) return fallback
    return (
      <EmptyState
        title={t('page_crashed')}
        action={<Button onClick={() => window.location.reload()}>{t('reload')}</Button>}
      />
    )
  }
}

/** Contains the error of one part, so that the rest of the screen keeps working. */
export const ErrorBoundary = withTranslation()(Boundary)
