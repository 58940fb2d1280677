import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../controls'
import { EmptyState } from './states'

interface Props {
  children?: ReactNode
  /** Shown in place of the failed part; when absent, shows a message and a button to reload. */
  fallback?: ReactNode
  report?: (what: string, error: unknown) => void
}

const CrashMessage = () => {
  const { t } = useTranslation()
  return (
    <EmptyState
      title={t('page_crashed')}
      action={<Button onClick={() => window.location.reload()}>{t('reload')}</Button>}
    />
  )
}

/** Contains the error of one part, so that the rest of the screen keeps working. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown) {
    this.props.report?.('a page crashed', error)
  }

  override render() {
    const { children, fallback = <CrashMessage /> } = this.props
    return this.state.failed ? fallback : children
  }
}
