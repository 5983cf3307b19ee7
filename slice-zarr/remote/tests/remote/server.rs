//! Defines an S3 server that runs during a test and counts the requests that it receives.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hyper::Method;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tokio::net::TcpListener;

pub const BUCKET: &str = "arrays";

/// The numbers of requests received by the server.
#[derive(Default)]
pub struct Requests {
    pub get: AtomicUsize,
    pub others: AtomicUsize,
}

impl Requests {
    /// Returns and resets the counts of GET requests and of all other requests.
    pub fn take(&self) -> (usize, usize) {
        (
            self.get.swap(0, Ordering::Relaxed),
            self.others.swap(0, Ordering::Relaxed),
        )
    }
}

pub struct Server {
    client: AmazonS3,
    pub endpoint: String,
    pub requests: Arc<Requests>,
}

impl Server {
    /// Serves the folders in a directory as buckets until the Tokio runtime shuts down.
    pub async fn start(directory: &Path) -> Server {
        // The result is ignored, because the call fails only if a provider is already installed.
        let _ = rustls::crypto::ring::default_provider().install_default();
        std::fs::create_dir_all(directory.join(BUCKET)).unwrap();
        let mut builder = S3ServiceBuilder::new(FileSystem::new(directory).unwrap());
        builder.set_auth(SimpleAuth::from_single("key", "secret"));
        let service = builder.build();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Requests::default());
        let counters = requests.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                // Without this option, the body would not be sent until the client has acknowledged the head.
                socket.set_nodelay(true).unwrap();
                let (service, counters) = (service.clone(), counters.clone());
                let counting_service = service_fn(move |request| {
                    let request: hyper::Request<hyper::body::Incoming> = request;
                    let counter = if request.method() == Method::GET {
                        &counters.get
                    } else {
                        &counters.others
                    };
                    counter.fetch_add(1, Ordering::Relaxed);
                    let response = Service::call(&service, request);
                    async move { Ok::<_, Infallible>(response.await.unwrap()) }
                });
                tokio::spawn(async move {
                    let connection = http1::Builder::new()
                        .serve_connection(TokioIo::new(socket), counting_service);
                    // The error is ignored, because the client may close the connection at any time.
                    let _ = connection.await;
                });
            }
        });
        // The client is built only once, because each client loads the system certificates.
        let client = AmazonS3Builder::new()
            .with_endpoint(&endpoint)
            .with_allow_http(true)
            .with_bucket_name(BUCKET)
            .with_region("us-east-1")
            .with_access_key_id("key")
            .with_secret_access_key("secret")
            .build()
            .unwrap();
        Server {
            client,
            endpoint,
            requests,
        }
    }

    /// Returns a client of the server.
    pub fn client(&self) -> AmazonS3 {
        self.client.clone()
    }
}
