{{- define "kcs.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "kcs.name" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "kcs.podSecurity" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{/* Takes a dict: root, role. */}}
{{- define "kcs.container" -}}
image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  readOnlyRootFilesystem: true
  allowPrivilegeEscalation: false
  capabilities: { drop: [ALL] }
envFrom:
  - secretRef: { name: {{ .root.Values.existingSecret | quote }} }
env:
  - { name: KCS_ROLE, value: {{ .role | quote }} }
  - { name: KCS_PUBLIC_URL, value: {{ .root.Values.publicUrl | quote }} }
  {{- range $name, $value := .root.Values.env }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "kcs.volumes" -}}
- name: data
  emptyDir: { sizeLimit: {{ .Values.dataSize }} }
- name: tmp
  emptyDir: { sizeLimit: 1Gi }
{{- end }}
