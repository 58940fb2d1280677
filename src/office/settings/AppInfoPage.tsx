import { useTranslation } from 'react-i18next'
import { type AppInfoForm, appInfoForm } from '~/domain/forms/settingsForms'
import { dbPaths } from '~/domain/data/databasePaths'
import { useAppDispatch } from '~/src/store/hooks'
import { EditPage } from '~/src/office/recordPages/EditPage'
import { Section, TextField } from '~/src/ui/forms/fields'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { useEditAuthors } from '../audit/useEditAuthors'
import { useOfficeSession } from '../useOfficeSession'
import { saveSettings } from './saveSettings'
import type { Settings } from '~/domain/catalog/types'

const FORM_FIELDS = Object.keys(appInfoForm.entries) as (keyof AppInfoForm)[]

const AppInfoEditForm = ({ settings }: { settings: Settings }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { notify } = useOfficeSession()
  const authors = useEditAuthors(dbPaths.settings)
  const save = async (_: AppInfoForm, changes: Partial<AppInfoForm>) => {
    await dispatch(saveSettings(settings, changes))
    notify('saved')
  }
  return (
    <EditPage<AppInfoForm>
      title={t('menu_app_info')}
      schema={appInfoForm}
      initial={Object.fromEntries(FORM_FIELDS.map((field) => [field, settings[field] ?? '']))}
      onSave={save}
      {...authors}
    >
      {(field) => (
        <>
          <Section title={t('company')}>
            <TextField label={t('app_name')} {...field('appName')} />
            <TextField label={t('company_name')} {...field('CompanyName')} />
            <TextField label={t('company_website')} type="url" {...field('CompanyWebsite')} />
            <TextField label={t('company_terms')} type="url" {...field('CompanyTerms')} />
            <TextField label={t('contact_email')} type="email" {...field('contact_email')} />
          </Section>
          <Section title={t('social')}>
            <TextField
              label={t('facebook_handle')}
              hint={t('social_hint')}
              {...field('FacebookHandle')}
            />
            <TextField
              label={t('twitter_handle')}
              hint={t('social_hint')}
              {...field('TwitterHandle')}
            />
            <TextField
              label={t('instagram_handle')}
              hint={t('social_hint')}
              {...field('InstagramHandle')}
            />
          </Section>
          <Section title={t('stores')}>
            <TextField label={t('apple_store')} type="url" {...field('AppleStoreLink')} />
            <TextField label={t('play_store')} type="url" {...field('PlayStoreLink')} />
          </Section>
        </>
      )}
    </EditPage>
  )
}

/** Edits the name of the product, its owner and its links. */
export const AppInfoPage = () => {
  const { settings } = useOfficeSession()
  return settings ? <AppInfoEditForm settings={settings} /> : <SkeletonLines lines={5} />
}
