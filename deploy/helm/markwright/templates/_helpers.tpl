{{- define "markwright.labels" -}}
app.kubernetes.io/name: markwright
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{- /* Changes with the settings, so that a change of them restarts the servers. */ -}}
{{- define "markwright.checksum" -}}
checksum/settings: {{ list .Values.settings .Values.secret | toYaml | sha256sum }}
{{- end }}

{{- /* A pod of the server. Takes root, roles, workers, delay and resources. */ -}}
{{- define "markwright.pod" -}}
automountServiceAccountToken: false
terminationGracePeriodSeconds: {{ add .delay 50 }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
containers:
  - name: markwright
    image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag }}"
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    args: [serve]
    envFrom:
      - configMapRef:
          name: {{ .root.Release.Name }}
      - secretRef:
          name: {{ .root.Values.secret.name }}
    env:
      - name: ROLES
        value: {{ .roles | quote }}
      - name: MIGRATE
        value: "off"
      - name: WORKERS
        value: {{ .workers | quote }}
      - name: SHUTDOWN_DELAY_SECONDS
        value: {{ .delay | quote }}
      - name: METRICS_PORT
        value: "9090"
      - name: METRICS_HOST
        value: 0.0.0.0
    ports:
      - name: http
        containerPort: 3000
      - name: metrics
        containerPort: 9090
    startupProbe:
      httpGet:
        path: /api/health
        port: http
      periodSeconds: 2
      failureThreshold: 60
    livenessProbe:
      httpGet:
        path: /api/health
        port: http
      timeoutSeconds: 5
      periodSeconds: 15
      failureThreshold: 4
    readinessProbe:
      httpGet:
        path: /api/ready
        port: http
      periodSeconds: 2
      failureThreshold: 1
    resources:
      {{- toYaml .resources | nindent 6 }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities:
        drop: [ALL]
    volumeMounts:
      - name: data
        mountPath: /data
      - name: tmp
        mountPath: /tmp
volumes:
  - name: data
    emptyDir:
      sizeLimit: 4Gi
  - name: tmp
    emptyDir:
      sizeLimit: 1Gi
{{- end }}
