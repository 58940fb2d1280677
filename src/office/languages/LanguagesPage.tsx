import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { domainError } from '~/domain/api/errors'
import { type LanguageForm, languageForm } from '~/domain/forms/catalogForms'
import { createLanguage } from '~/domain/catalog/languages'
import type { OfficeAction } from '~/domain/access/permissions'
import {
  editLanguage,
  fetchLanguage,
  makeDefaultLanguage,
} from '~/src/features/languages/languageEdits'
import { type LanguageSummary, liveLanguages } from '~/src/features/languages/languages'
import { loadShippedTexts } from '~/src/i18n/shippedTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { ENDED_BY_PAGE_CHANGE, noticeRaised } from '~/src/store/notices'
import { Button, IconButton } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { EditPanel } from '~/src/office/recordPages/EditPage'
import { StatusChip } from '~/src/ui/feedback/StatusChip'
import { Section, TextField } from '~/src/ui/forms/fields'
import { ListPage } from '~/src/office/recordPages/ListPage'
import pages from '~/src/office/recordPages/pages.module.css'
import { useOverlayParam } from '~/src/ui/table/tableState'
import { AuditTrail } from '../audit/AuditTrail'
import { useEditAuthors } from '../audit/useEditAuthors'
import { useOfficeSession } from '../useOfficeSession'
import { JsonPanel } from './JsonPanel'
import css from './languages.module.css'
import type { Column } from '~/src/ui/table/tableProps'

/** Returns what removes a language, and what makes one the default. */
const useLanguageActions = (langlist: readonly LanguageSummary[], reload: () => void) => {
  const dispatch = useAppDispatch()
  const { notify, notifyDeleted } = useOfficeSession()
  /** Reports success, and reloads the list after a language was added. */
  const reloadAfter = (work: Promise<unknown>, then: () => void) =>
    void work.then(
      () => {
        reload()
        then()
      },
      // The refusal is already shown as a notice.
      () => undefined,
    )
  const makeDefault = (id: string) =>
    void dispatch(makeDefaultLanguage({ id, all: [...langlist] }))
      .unwrap()
      .then(
        () => notify('saved'),
        () => undefined,
      )
  const remove = async (row: LanguageSummary) => {
    if (row.default) {
      dispatch(
        noticeRaised({
          tone: 'problem',
          text: 'cannot_delete_default_language',
          endedBy: ENDED_BY_PAGE_CHANGE,
        }),
      )
      return
    }
    // Restoring it later requires the whole language. The refusal is already shown as a notice.
    const language = await dispatch(fetchLanguage(row.id))
      .unwrap()
      .catch(() => null)
    if (!language) return
    reloadAfter(dispatch(editLanguage({ language, method: 'Delete' })).unwrap(), () =>
      notifyDeleted(() => {
        const back = dispatch(editLanguage({ language, method: 'Add' }))
        reloadAfter(back.unwrap(), () => undefined)
        return back
      }),
    )
  }
  return { makeDefault, remove }
}

/** Returns what makes a language with the texts of the default one. */
const useCopyOfDefault = (langlist: readonly LanguageSummary[]) => {
  const dispatch = useAppDispatch()
  return async (values: LanguageForm) => {
    const { id, langLocale } = langlist.find((one) => one.default) ?? { langLocale: 'en' }
    const [shipped, defaults] = await Promise.all([
      loadShippedTexts(langLocale),
      id ? dispatch(fetchLanguage(id)).unwrap() : null,
    ])
    const texts = { ...shipped, ...defaults?.keyValuePairs }
    return createLanguage({ ...values, id: '' }, texts, Date.now())
  }
}

/** Edits the names and codes of a language, or adds one with the texts of the default language. */
const LanguagePanel = ({
  language,
  langlist,
  reload,
  onClose,
}: {
  language: LanguageSummary | undefined
  langlist: readonly LanguageSummary[]
  reload: () => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { can, notify } = useOfficeSession()
  const authors = useEditAuthors(language && `languages/${language.id}`)
  const copyDefault = useCopyOfDefault(langlist)
  const save = async (values: LanguageForm, changes: Partial<LanguageForm>) => {
    if (!can('language_save')) throw domainError('demo_mode')
    const defaultCopy = language ? null : await copyDefault(values)
    await dispatch(
      editLanguage.quiet(
        language
          ? { language: { id: language.id, ...changes }, method: 'Update' }
          : { language: { ...defaultCopy, id: undefined }, method: 'Add' },
      ),
    ).unwrap()
    if (!language) reload()
    notify('saved')
  }
  return (
    <EditPanel<LanguageForm>
      title={language?.langName ?? t('add_language')}
      schema={languageForm}
      initial={{
        langName: language?.langName ?? '',
        langLocale: language?.langLocale ?? '',
        dateLocale: language?.dateLocale ?? '',
      }}
      onSave={save}
      {...authors}
      onClose={onClose}
    >
      {(field) => (
        <>
          {!language && <p className={pages.lead}>{t('new_language_lead')}</p>}
          <TextField label={t('lang_name')} {...field('langName')} />
          <TextField label={t('lang_locale')} hint="en, pt, ar" {...field('langLocale')} />
          <TextField label={t('date_locale')} hint="en-GB, pt-BR" {...field('dateLocale')} />
          {language && (
            <Section title={t('audit_of_record')}>
              <AuditTrail path={`languages/${language.id}`} />
            </Section>
          )}
        </>
      )}
    </EditPanel>
  )
}

const createColumns = (t: TFunction): Column<LanguageSummary>[] => [
  { id: 'langName', title: t('language'), sortValue: (l) => l.langName, cell: (l) => l.langName },
  {
    id: 'langLocale',
    title: t('lang_locale'),
    sortValue: (l) => l.langLocale,
    cell: (l) => l.langLocale,
  },
  {
    id: 'dateLocale',
    title: t('date_locale'),
    sortValue: (l) => l.dateLocale,
    cell: (l) => l.dateLocale,
  },
  {
    id: 'default',
    title: t('default'),
    sortValue: (l) => (l.default ? 0 : 1),
    exportValue: (l) => t(l.default ? 'yes' : 'no'),
    cell: (l) => (l.default ? <StatusChip tone="success">{t('default')}</StatusChip> : null),
  },
]

/** Renders the buttons of a row. */
const RowActions = ({
  language,
  onTexts,
  onDefault,
  onRemove,
}: {
  language: LanguageSummary
  onTexts: () => void
  onDefault: () => void
  onRemove: () => void
}) => {
  const { t } = useTranslation()
  return (
    <span className={css.actions}>
      <Button size="small" onClick={onTexts}>
        {t('edit_json')}
      </Button>
      <Button size="small" disabled={language.default} onClick={onDefault}>
        {t('make_default')}
      </Button>
      <IconButton label={t('delete')} onClick={onRemove}>
        <Icon name="trash" />
      </IconButton>
    </span>
  )
}

/** Lists the languages of the interface with their texts and marks the default language. */
export const LanguagesPage = () => {
  const { t } = useTranslation()
  const { canOrNotify, can } = useOfficeSession()
  const { langlist, ...listQuery } = useLive(liveLanguages)
  // Contains 'new', an ID, or 'id~json'.
  const { opened, open, linkTo, close } = useOverlayParam('edit')
  const [edited = null, part = null] = opened?.split('~') ?? []
  const language = langlist.find(({ id }) => id === edited)
  const { makeDefault, remove } = useLanguageActions(langlist, listQuery.retry)
  const guarded = (action: OfficeAction, then: () => void) => () => {
    if (canOrNotify(action)) then()
  }
  return (
    <ListPage
      id="languages"
      title={t('menu_languages')}
      query={listQuery}
      add={{ label: t('add_language'), onAdd: guarded('language_save', () => open('new')) }}
      empty={t('no_languages_available')}
      rows={langlist}
      columns={createColumns(t)}
      toSearchText={(l) => `${l.langName} ${l.langLocale}`}
      linkTo={(l) => linkTo(l.id)}
      onOpen={(l) => open(l.id)}
      openedId={part ? null : edited}
      actions={(l) => (
        <RowActions
          language={l}
          onTexts={() => open(`${l.id}~json`)}
          onDefault={guarded('language_default', () => makeDefault(l.id))}
          onRemove={guarded('language_delete', () => void remove(l))}
        />
      )}
      {...(can('table_export') && { exportAs: { name: 'languages' } })}
    >
      {language && part === 'json' ? (
        <JsonPanel key={language.id} language={language} onClose={() => close()} />
      ) : (
        (language || edited === 'new') && (
          <LanguagePanel
            key={edited}
            language={language}
            langlist={langlist}
            reload={listQuery.retry}
            onClose={() => close()}
          />
        )
      )}
    </ListPage>
  )
}
